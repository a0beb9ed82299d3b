import { numberToHex } from './evmChain.mts';
import { createSandbox } from './sandbox.mts';

interface Call {
	readonly method: string;
	readonly params: readonly unknown[];
}

/** A sandbox with a chain for one test file, which forgets faults and requests before each test. */
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
		/** Returns the numbers of the blocks that it mines. */
		mine: async (count: number) => {
			const before = await height();
			await sandbox.chain('anvil_mine', numberToHex(count));
			return Array.from({ length: count }, (_, index) => before + 1 + index);
		},
		/** Sends coins from one account to another, in a block of its own. */
		pay: async (from: number, to: number, value = 1) =>
			(await sandbox.mined({ from: account(from), to: account(to), value: numberToHex(value) }))
				.transactionHash,
		/** Replaces the latest blocks; the first of the new ones has these transactions. */
		reorganize: async (depth: number, ...transactions: readonly object[]) =>
			await sandbox.chain(
				'anvil_reorg',
				depth,
				transactions.map((one) => [one, 0]),
			),
		/** Counts the requests that the node received. */
		countRequests: async () =>
			((await sandbox.control('GET', '/record/count?room=node')) as { requests: number }).requests,
		/** Makes the node's answers lag behind its chain. */
		setLag: async (lag: object) => await sandbox.control('PUT', '/lag', lag),
		/** Lists the calls that the node received, in batches or alone. */
		calls: async () =>
			(await sandbox.record())
				.filter(({ body }) => body !== null)
				.flatMap(({ path, body }) =>
					([body].flat() as Call[]).map(({ method, params }) => ({ path, method, params })),
				),
	};
}
