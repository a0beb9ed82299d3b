import { generateKeyPairSync } from 'node:crypto';
import { Address } from '@ton/core';
import { WalletContractV5R1 } from '@ton/ton';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { ec, hash } from 'starknet';
import { utils } from 'tronweb';
import { request } from 'undici';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import type { Family } from '../../../nodes/core';
import { deployContract } from '../../../test/harness/contract.mts';
import { STARK_ACCOUNT, TEST_ADDRESS, type Sandbox } from '../../../test/harness/sandbox.mts';
import { readStarkInfo, type StarkAccount } from '../../../test/harness/starkChain.mts';
import { FRIEND } from '../support/accounts.mts';

/** For each family, an account that these tests never pay. */
export const ADDRESSES = {
	evm: '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
	witness: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
	ton: 'UQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k8OV',
	stark: '0x064b48806902a367c8598f4f95c305e8c1a1acba5f082d294a43793113115691',
} as const;

/** Whether a receiver gets the whole amount. On TON, the receiver's wallet pays a fee for each message that it gets. */
export const GIVES_ALL_COINS: Readonly<Record<Family, boolean>> = {
	evm: true,
	witness: true,
	ton: false,
	stark: true,
};

/** The accounts, tokens and rules for payments on one chain of the sandbox, and functions that read the chain's balances. */
export interface PayScene {
	readonly chain: Family;
	/** The account of the sandbox's credential, as an item has it. */
	readonly from: string;
	readonly to: string;
	/** Null where the family has no tokens. */
	readonly token: { readonly address: string; readonly decimals: number } | null;
	readonly symbol: string | null;
	readonly decimals: number;
	/** Rules that allow the payments of these tests. */
	readonly rules: ICredentialDataDecryptedObject;
	/** The balance of the receiver in the smallest unit, read from the chain itself. */
	readBalance(of?: 'coins' | 'token'): Promise<bigint>;
	/** Makes a block on a chain that makes blocks only on demand. */
	mine?(): Promise<unknown>;
	/** Creates a payer, and a receiver whom nobody else pays. */
	openOthers(): Promise<Others>;
}

/** A payer and a receiver that no other test uses. On TON, where receivers of coins pay a fee, they use tokens. */
export interface Others extends Pick<PayScene, 'rules' | 'to'> {
	/** The coins of the receiver, or its tokens if the payer has tokens, in the smallest unit. */
	readBalance(): Promise<bigint>;
}

export async function buildScene(sandbox: Sandbox, chain: Family): Promise<PayScene> {
	switch (chain) {
		case 'evm':
			return await buildEvm(sandbox);
		case 'witness':
			return await buildWitness(sandbox);
		case 'ton':
			return await buildTon(sandbox);
		case 'stark':
			return await buildStark(sandbox);
	}
}

/** Deploys a token with six decimals, and gives some of it to the payer. */
async function deployToken(sandbox: Sandbox) {
	const { address, owner, data } = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
	const give = data('transfer(address,uint256)', BigInt(TEST_ADDRESS), 1_000_000_000n);
	await sandbox.mined({ from: owner, to: address, data: give });
	return {
		address,
		readBalance: async (of: string) =>
			BigInt(
				String(
					await sandbox.chain(
						'eth_call',
						{ to: address, data: data('balanceOf(address)', BigInt(of)) },
						'latest',
					),
				),
			),
	};
}

async function buildEvm(sandbox: Sandbox): Promise<PayScene> {
	const token = await deployToken(sandbox);
	return {
		chain: 'evm',
		from: TEST_ADDRESS,
		to: FRIEND,
		token: { address: token.address, decimals: 6 },
		symbol: null,
		decimals: 18,
		rules: {},
		readBalance: async (of = 'coins') =>
			of === 'token' ? await token.readBalance(FRIEND) : await readEvmCoins(sandbox, FRIEND),
		openOthers: async () => {
			const { privateKey, from, to } = makeOthers();
			await sandbox.chain('anvil_setBalance', from, '0x8ac7230489e80000');
			return { rules: { privateKey }, to, readBalance: () => readEvmCoins(sandbox, to) };
		},
	};
}

const readEvmCoins = async (sandbox: Sandbox, of: string) =>
	BigInt(String(await sandbox.chain('eth_getBalance', of, 'latest')));

function makeOthers() {
	const privateKey = generatePrivateKey();
	const [from, to] = [privateKey, generatePrivateKey()].map((key) => privateKeyToAddress(key));
	return { privateKey, from: from as string, to: to as string };
}

const toBase58 = (evm: string) => String(utils.address.fromHex(`41${evm.slice(2)}`));

async function buildWitness(sandbox: Sandbox): Promise<PayScene> {
	const token = await deployToken(sandbox);
	const [from, to] = [TEST_ADDRESS, FRIEND].map(toBase58) as [string, string];
	await sandbox.control('PUT', '/wallet', { blockTime: 20 });
	const readCoins = async (address: string) => {
		const account = await askNode(sandbox, 'wallet/getaccount', { address, visible: true });
		return BigInt((account as { balance?: number }).balance ?? 0);
	};
	return {
		chain: 'witness',
		from,
		to,
		token: { address: toBase58(token.address), decimals: 6 },
		symbol: 'TRX',
		decimals: 6,
		rules: { witnessKinds: ['transfer', 'contractCall'] },
		readBalance: async (of = 'coins') =>
			of === 'token' ? await token.readBalance(FRIEND) : await readCoins(to),
		openOthers: async () => {
			const { privateKey, to: evm } = makeOthers();
			const other = toBase58(evm);
			return await Promise.resolve({
				rules: { privateKey },
				to: other,
				readBalance: () => readCoins(other),
			});
		},
	};
}

interface TonFacts {
	readonly people: Readonly<
		Record<'alice' | 'bob', { readonly v4r2: string; readonly v5r1: string }>
	>;
	readonly jetton: string;
}

async function buildTon(sandbox: Sandbox): Promise<PayScene> {
	const { people, jetton } = (await sandbox.control('GET', '/ton/chain')) as TonFacts;
	const to = Address.parse(people.bob.v4r2).toString({ bounceable: false });
	const readCoins = async () => {
		const query = new URLSearchParams({ address: to });
		const answer = (await askNode(sandbox, `api/v3/accountStates?${query}`)) as {
			accounts: ReadonlyArray<{ balance: string }>;
		};
		return BigInt(answer.accounts[0]?.balance ?? 0);
	};
	const readJettonWallet = async (owner: string) => {
		const query = new URLSearchParams({ owner_address: owner, jetton_address: jetton });
		const answer = (await askNode(sandbox, `api/v3/jetton/wallets?${query}`)) as {
			jetton_wallets: ReadonlyArray<{ address: string; balance: string }>;
		};
		return answer.jetton_wallets[0];
	};
	const readTokens = async (owner: string) => BigInt((await readJettonWallet(owner))?.balance ?? 0);
	const own = await readJettonWallet(people.alice.v5r1);
	return {
		chain: 'ton',
		from: Address.parse(people.alice.v5r1).toString({ bounceable: false }),
		to,
		token: { address: Address.parse(jetton).toString(), decimals: 6 },
		symbol: 'TON',
		decimals: 9,
		rules: { jettonLimits: `${own?.address} 1000000000 6` },
		readBalance: async (of = 'coins') =>
			of === 'token' ? await readTokens(to) : await readCoins(),
		openOthers: async () => {
			const [payer, receiver] = [openTonWallet(), openTonWallet()];
			const token = { to: payer.address, amount: '1000000' };
			const { wallet } = (await sandbox.control('POST', '/ton/mint', token)) as { wallet: string };
			await sandbox.control('POST', '/ton/pay', { to: payer.address, amount: '5' });
			return {
				rules: { secret: payer.secret, jettonLimits: `${wallet} 1000000 6` },
				to: receiver.address,
				readBalance: () => readTokens(receiver.address),
			};
		},
	};
}

/** Creates a TON wallet that is not deployed yet. */
function openTonWallet() {
	const { privateKey, publicKey } = generateKeyPairSync('ed25519');
	const [secret, key] = [
		privateKey.export({ format: 'jwk' }).d,
		publicKey.export({ format: 'jwk' }).x,
	].map((text) => Buffer.from(String(text), 'base64url')) as [Buffer, Buffer];
	const { address } = WalletContractV5R1.create({ publicKey: key });
	return { secret: secret.toString('hex'), address: address.toString({ bounceable: false }) };
}

/** The token in which fees are paid on each STARK rollup. */
const STRK = '0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d';

/** The rollup's first blocks are old, and each is four seconds later than the one before: the next one is of the present. */
async function bringToPresent(sandbox: Sandbox): Promise<void> {
	const block = {
		jsonrpc: '2.0',
		id: 1,
		method: 'starknet_getBlockWithTxHashes',
		params: ['latest'],
	};
	const { result } = (await askNode(sandbox, '', block)) as { result: { timestamp: number } };
	const seconds = Math.floor(Date.now() / 1000) - result.timestamp;
	if (seconds > 4) await sandbox.control('POST', '/stark/blocks', { count: 1, seconds });
}

async function buildStark(sandbox: Sandbox): Promise<PayScene> {
	await bringToPresent(sandbox);
	const { accounts, contracts } = await readStarkInfo(sandbox.control);
	const to = accounts[1]?.address ?? '';
	const token = contracts.newToken?.address ?? '';
	const read = async (contract: string, entrypoint: string, of: string) => {
		const call = {
			contract_address: contract,
			entry_point_selector: hash.getSelectorFromName(entrypoint),
			calldata: [of],
		};
		const body = { jsonrpc: '2.0', id: 1, method: 'starknet_call', params: [call, 'latest'] };
		const { result } = (await askNode(sandbox, '', body)) as { result: readonly string[] };
		return BigInt(result[0] ?? 0);
	};
	return {
		chain: 'stark',
		from: STARK_ACCOUNT.accountAddress,
		to,
		token: { address: token, decimals: 6 },
		symbol: 'STRK',
		decimals: 18,
		rules: {},
		readBalance: async (of = 'coins') =>
			of === 'token' ? await read(token, 'balance_of', to) : await read(STRK, 'balanceOf', to),
		openOthers: async () => {
			const payer = (await sandbox.control('POST', '/stark/accounts')) as StarkAccount;
			const receiver = ec.starkCurve.getStarkKey(ec.starkCurve.utils.randomPrivateKey());
			return {
				rules: { privateKey: payer.privateKey, accountAddress: payer.address },
				to: receiver,
				readBalance: () => read(STRK, 'balanceOf', receiver),
			};
		},
	};
}

/** Sends a request to the node without using the package's own code. */
async function askNode({ nodeUrl, authToken }: Sandbox, path: string, body?: object) {
	const { body: answer } = await request(`${nodeUrl}/${authToken}/${path}`, {
		method: body ? 'POST' : 'GET',
		headers: { 'content-type': 'application/json' },
		...(body && { body: JSON.stringify(body) }),
	});
	return await answer.json();
}
