import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';
import { deposit } from '../../../test/harness/accountKey.mts';
import { deployContract } from '../../../test/harness/contract.mts';
import { runNode, type NodeRun } from '../../../test/harness/engine.mts';
import type { Sandbox } from '../../../test/harness/sandbox.mts';
import { Pay } from '../../nodes/Pay/Pay.node';
import { FRIEND } from '../support/accounts.mts';
import { credentialTypes } from '../support/signerNode.mts';

const node = new Pay();

/** The destination in the sandbox's credential of deposit addresses. */
export const DESTINATION = FRIEND;

export interface Sweep extends Partial<Omit<NodeRun, 'credentials' | 'items'>> {
	readonly items?: readonly IDataObject[];
	/** Settings that replace those of the node's credential. */
	readonly access?: ICredentialDataDecryptedObject;
	/** Rules that replace those of the key that pays. */
	readonly rules?: ICredentialDataDecryptedObject;
	/** Rules that replace those of the key of deposit addresses. */
	readonly deposits?: ICredentialDataDecryptedObject;
}

/** Runs Sweep with the sandbox's credentials. */
export async function runSweep(sandbox: Sandbox, parameters: INodeParameters, more: Sweep = {}) {
	const { items, access, rules, deposits, ...run } = more;
	const { token, signerDeposits, signerKey } = sandbox.credentials;
	return await runNode({
		node,
		parameters: { operation: 'sweep', authentication: 'token', chain: 'evm', ...parameters },
		credentials: {
			chainNodeTokenApi: { ...token.chainNodeTokenApi, ...access },
			chainSignerKeyApi: { ...signerKey.chainSignerKeyApi, ...rules },
			chainSignerDepositsApi: { ...signerDeposits.chainSignerDepositsApi, ...deposits },
		},
		credentialTypes,
		...(items && { items: items.map((json) => ({ json })) }),
		...run,
	});
}

/** Returns the items of a run. Throws if the run fails. */
export async function swept(sandbox: Sandbox, parameters: INodeParameters, more: Sweep = {}) {
	const { items, error } = await runSweep(sandbox, parameters, more);
	if (error) throw error;
	return items.map(({ json }) => json);
}

/** Returns functions that read balances of coins and tokens from the chain itself. */
export function readChain(sandbox: Pick<Sandbox, 'chain'>) {
	const readNumber = async (method: string, ...params: unknown[]) =>
		BigInt(String(await sandbox.chain(method, ...params)));
	return {
		gas: async (hash: unknown) => {
			const receipt = await sandbox.chain('eth_getTransactionReceipt', hash);
			return BigInt((receipt as { gasUsed: string }).gasUsed);
		},
		coins: async (account: string) => await readNumber('eth_getBalance', account, 'latest'),
		tokens: async (token: string, account: string) =>
			await readNumber(
				'eth_call',
				{ to: token, data: `0x70a08231${account.slice(2).padStart(64, '0')}` },
				'latest',
			),
		sent: async (account: string) => await readNumber('eth_getTransactionCount', account, 'latest'),
		giveCoins: async (index: number, wei: bigint) =>
			void (await sandbox.chain('anvil_setBalance', deposit(index), `0x${wei.toString(16)}`)),
	};
}

/** Deploys a token with six decimals. The returned functions give some of it to addresses. */
export async function deployToken(sandbox: Sandbox, file = 'Tokens', name = 'Coin') {
	const { address, owner, data } = await deployContract(sandbox, name, { file });
	return {
		address,
		owner,
		give: async (index: number, amount: bigint) =>
			await sandbox.mined({
				from: owner,
				to: address,
				data:
					file === 'OddTokens'
						? data('give(address,uint256)', BigInt(deposit(index)), amount)
						: data('transfer(address,uint256)', BigInt(deposit(index)), amount),
			}),
	};
}

export { deposit };
