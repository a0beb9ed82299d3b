import { encodeAbiParameters } from 'viem';
import { withLogs, type LogContents } from '../../harness/evmChain.mts';
import type { Answer, Call } from '../../harness/fakeNode.mts';
import { ALICE, BOB, FIRST_TRANSFER } from '../../harness/fakeChain.mts';
import { waitUntil } from '../../harness/until.mts';
import { fails, says } from '../evmRpcTrigger/support/fakeScene.mts';
import { shortenTimes } from '../evmRpcTrigger/support/shortTimes.mts';
import { DRIVERS } from './support/driver.mts';
import { createFakeScene } from './support/fakeScene.mts';

const transfers = { event: 'tokenTransfer' };
const word = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value]);
const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value]);

const TRANSFER = { ...FIRST_TRANSFER, data: word(1_500_000n) };

const isSymbol = ({ params: [call] }: Call) =>
	(call as { data: string }).data.startsWith('0x95d89b41');

const good = (call: Call) => (isSymbol(call) ? text('USDX') : word(6n));

const amounts = (items: ReadonlyArray<Record<string, unknown>>) =>
	items.map(({ symbol, amount, value }) => [symbol, amount, value]);

const WITHOUT_FACTS = [null, null, '1500000'];
const WITH_FACTS = ['USDX', '1.5', '1500000'];

describe.each(DRIVERS)('by %s', (_by, createDriver) => {
	const { node, start } = createFakeScene(createDriver);

	/** Puts the given logs into every block, and makes the node answer calls of their tokens with the given answer. */
	function setChain(token: Answer = good, logs: readonly LogContents[] = [TRANSFER]) {
		node.contentsOf = () => withLogs(...logs);
		node.setAnswers({ eth_call: token });
	}

	test.each<[string, Answer]>([
		['null', () => null],
		['nothing', () => '0x'],
		['an object', () => ({ symbol: 'USDX' })],
		['a number', () => 7],
		['no hex', () => 'zz'],
		['a revert', fails(3, '0x08c379a0')],
	])('a node that answers questions about a token with %s holds up nothing', async (_what, odd) => {
		setChain(odd);
		const trigger = await start(transfers);
		node.mine();
		await trigger.readAll(1);
		setChain();
		node.mine();
		expect(amounts(await trigger.readAll(2))).toEqual([WITHOUT_FACTS, WITH_FACTS]);
		expect(trigger.failures).toEqual([]);
	});

	test.each<[string, Answer]>([
		['whatever gas is named', says('transaction gas limit is greater than the cap (16777216)')],
		['for want of the state', says('missing trie node')],
		['because of a limit', fails(-32005)],
	])(
		'a node that refuses, %s, is asked again: no transfer comes without its token',
		async (_why, bad) => {
			shortenTimes({ outageMs: 100 });
			setChain(bad);
			const trigger = await start(transfers);
			node.mine();
			await waitUntil(async () => {
				await trigger.read();
				return node.countCalls('eth_call') > 8 && trigger.failures.length > 0;
			});
			expect(trigger.items()).toEqual([]);
			setChain();
			expect(amounts(await trigger.readAll(1))).toEqual([WITH_FACTS]);
		},
	);

	test('a symbol without end is cut short, and what is known is not asked again', async () => {
		setChain((call) => (isSymbol(call) ? text('x'.repeat(300_000)) : word(6n)));
		const trigger = await start(transfers);
		node.mine(3);
		const [first] = await trigger.readAll(3);
		expect(String(first?.symbol)).toBe(`${'x'.repeat(200)}…`);
		expect(node.countCalls('eth_call')).toBe(2);
	});

	test('a transfer that two searches find, in two forms, comes once', async () => {
		setChain();
		node.answers.eth_getLogs = (call) => {
			const [filter] = call.params as [{ topics: unknown[] }];
			const isOfSender = filter.topics.length === 2;
			const found = node.truth(call) as object[];
			return isOfSender
				? found
				: found.map((log) => ({ ...log, blockTimestamp: '0x1', logIndex: '0x00' }));
		};
		const trigger = await start({ ...transfers, accounts: [ALICE, BOB] });
		node.mine(2);
		const items = await trigger.readAll(2);
		expect(items.map(({ blockNumber }) => blockNumber)).toEqual([11, 12]);
	});

	const { topics = [] } = TRANSFER;

	test.each<[string, object]>([
		['a thing that cannot be divided', { topics: [...topics, word(9n)], data: '0x' }],
		['a thing of the oldest kind', { topics: topics.slice(0, 1), data: `0x${'0'.repeat(192)}` }],
		['no amount', { data: '0x' }],
		['half an amount', { data: '0x01' }],
		['an amount that is no hex', { data: 'much' }],
		['an address that is none', { topics: [...topics.slice(0, 2), `0x${'f'.repeat(64)}`] }],
	])('the transfer of %s is not emitted as an amount', async (_what, changes) => {
		setChain(good, [
			{ ...TRANSFER, ...changes },
			{ ...TRANSFER, logIndex: '0x1' },
		]);
		const trigger = await start(transfers);
		node.mine(2);
		const items = await trigger.readAll(2);
		expect(items.map(({ logIndex }) => logIndex)).toEqual([1, 1]);
		expect(trigger.failures).toEqual([]);
	});
});
