import type { INodeParameters } from 'n8n-workflow';
import { TronWeb, utils } from 'tronweb';
import { deployContract } from '../../../test/harness/contract.mts';
import { TEST_ADDRESS, TEST_KEY, type Sandbox } from '../../../test/harness/sandbox.mts';
import { asBase58, asWitness } from '../support/witness.mts';
import { deposit, DESTINATION, runSweep, type Sweep } from './sweepNode.mts';

/** This file runs Sweep on the sandbox's TRON chain, and reads balances from its node with tronweb. */

export const TO = asBase58(DESTINATION);
export const PAYER = asBase58(TEST_ADDRESS);
export const base58 = (index: number) => asBase58(deposit(index));

const CUSTOMER_KEY = '3'.repeat(64);
export const CUSTOMER = String(utils.address.fromPrivateKey(CUSTOMER_KEY));
const FUNDS = 20_000;

/** The settings of the chain. Only three accounts exist at the start; any other exists once it gets coins. */
const SETTINGS = {
	blockTime: 20,
	defaultBalance: 0,
	defaultFrozen: 0,
	balances: { [CUSTOMER]: FUNDS, [PAYER]: FUNDS, [TO]: 1 },
};

export async function openWitness(sandbox: Sandbox) {
	const configure = async (more: object = {}) =>
		await sandbox.control('PUT', '/wallet', { ...SETTINGS, ...more });
	await configure();
	const client = new TronWeb({ fullHost: `${sandbox.nodeUrl}/${sandbox.authToken}` });
	const coins = async (address: string) => BigInt(await client.trx.getUnconfirmedBalance(address));
	return {
		configure,
		client,
		coins,
		giveCoins: async (index: number, sun: number) => {
			await client.trx.sendTransaction(base58(index), sun, { privateKey: CUSTOMER_KEY });
		},
		/** Sends coins from the payer, for tests in which the customer has none. */
		payCoins: async (index: number, sun: number) => {
			await client.trx.sendTransaction(base58(index), sun, { privateKey: TEST_KEY.slice(2) });
		},
		/** Freezes coins of the customer, and lends energy for some of them to the address. */
		lendEnergy: async (index: number, frozenSun: number, lentSun = frozenSun) => {
			const { transactionBuilder: builder, trx } = client;
			for (const build of [
				async () => await builder.freezeBalanceV2(frozenSun, 'ENERGY', CUSTOMER),
				async () => await builder.delegateResource(lentSun, base58(index), 'ENERGY', CUSTOMER),
			])
				await trx.sendRawTransaction(await trx.sign(await build(), CUSTOMER_KEY));
		},
		/** Makes a block, so that the sent transactions are carried out. */
		pass: async () => void (await sandbox.control('POST', '/wallet/mine', { blocks: 1 })),
		/** The outcome of a transaction, read from the chain. */
		info: async (id: unknown) => await client.trx.getUnconfirmedTransactionInfo(String(id)),
		/** Lists the transactions of an account that the chain has received. */
		sent: async (address: string) => {
			const all = (await sandbox.control('GET', '/wallet')) as ReadonlyArray<{
				owner_address: string;
			}>;
			const owner = String(utils.address.toHex(address)).toLowerCase();
			return all.filter(({ owner_address }) => owner_address === owner).length;
		},
		run: async (parameters: INodeParameters, more: Sweep = {}) =>
			await runSweep(
				sandbox,
				{ chain: 'witness', ...parameters },
				{
					...more,
					rules: { witnessKinds: ['transfer'], ...more.rules },
					deposits: { witnessDestination: TO, ...more.deposits },
				},
			),
	};
}

export type WitnessScene = Awaited<ReturnType<typeof openWitness>>;

/** Returns the items of a run. Throws if the run fails. */
export async function sweptBy(
	{ run }: Pick<WitnessScene, 'run'>,
	parameters: INodeParameters,
	more: Sweep = {},
) {
	const { items, error } = await run(parameters, more);
	if (error) throw error;
	return items.map(({ json }) => json);
}

/** Deploys a token with six decimals. The returned functions give some of it to addresses. */
export async function deployWitnessToken(sandbox: Sandbox, file = 'Tokens', name = 'Coin') {
	const { address, owner, data } = await deployContract(sandbox, name, { file });
	const method = file === 'OddTokens' ? 'give(address,uint256)' : 'transfer(address,uint256)';
	return {
		address: asBase58(address),
		hex: asWitness(address),
		give: async (to: number | string, amount: bigint) =>
			await sandbox.mined({
				from: owner,
				to: address,
				data: data(method, BigInt(typeof to === 'string' ? to : deposit(to)), amount),
			}),
		of: async (account: string) =>
			BigInt(
				String(
					await sandbox.chain(
						'eth_call',
						{ to: address, data: data('balanceOf(address)', BigInt(account)) },
						'latest',
					),
				),
			),
	};
}
