import { numberToHex } from './evmChain.mts';
import { createSandbox } from './sandbox.mts';

interface Call {
	readonly method: string;
	readonly params: readonly unknown[];
}

/** Creates a sandbox with a chain for one test file. Faults and recorded requests are cleared before each test. */
export function createSandboxChain() {
	const sandbox = createSandbox({ chain: true });
	let accounts: readonly string[] = [];

	beforeAll(async () => {
		accounts = (await sandbox.chain('eth_accounts')) as string[];
	});

	const account = (index: number) => String(accounts[index]);
	const height = async () => Number(await sandbox.chain('eth_blockNumber'));

	return {
		sandbox,
		account,
		height,
		/** Mines blocks, and returns their numbers. */
		mine: async (count: number) => {
			const before = await height();
			await sandbox.chain('anvil_mine', numberToHex(count));
			return Array.from({ length: count }, (_, index) => before + 1 + index);
		},
		/** Sends coins from one account to another. The transaction has a block of its own. */
		pay: async (from: number, to: number, value = 1) =>
			(await sandbox.mined({ from: account(from), to: account(to), value: numberToHex(value) }))
				.transactionHash,
		/** Replaces the latest blocks by new ones. The first of the new blocks contains the given transactions. */
		reorganize: async (depth: number, ...transactions: readonly object[]) =>
			await sandbox.chain(
				'anvil_reorg',
				depth,
				transactions.map((one) => [one, 0]),
			),
		/** Counts the requests that the node received. */
		countRequests: async () =>
			((await sandbox.control('GET', '/record/count?room=node')) as { requests: number }).requests,
		/** Makes the answers of the node lag behind its chain. */
		setLag: async (lag: object) => await sandbox.control('PUT', '/lag', lag),
		/** Lists the JSON-RPC calls that the node received, both in batches and alone. */
		calls: async () =>
			(await sandbox.record())
				.filter(({ body }) => body !== null)
				.flatMap(({ path, body }) =>
					([body].flat() as Call[]).map(({ method, params }) => ({ path, method, params })),
				),
	};
}
