import { encodeAbiParameters, encodeEventTopics, getAddress, parseAbi } from 'viem';
import {
	type Answer,
	buildBlock,
	type Call,
	numberToHex,
	NO_ANSWER,
} from '../../../harness/fakeNode.mts';
import { blocksAsked, chainOf } from '../support/fakeChain.mts';
import { fails, fakeScene, says } from '../support/fakeScene.mts';
import { waitUntil } from '../../../harness/until.mts';
import { hurry } from '../support/hurry.mts';
import { moment } from '../support/scene.mts';

const { node, listening } = fakeScene();

const TOKEN = getAddress(`0x${'c0'.repeat(20)}`);
const [PAYER, PAYEE] = [getAddress(`0x${'a1'.repeat(20)}`), getAddress(`0x${'b2'.repeat(20)}`)];
const abi = parseAbi([
	'event Transfer(address indexed from, address indexed to, uint256 value)',
	'event Transfer(address indexed from, address indexed to, uint256 indexed id)',
]);
const topics = (from = PAYER, to = PAYEE) =>
	encodeEventTopics({ abi: [abi[0]], args: { from, to } }) as string[];
const word = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value]);
const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value]);

/** The log of a transfer in this block. */
const transferIn = (number: number) => ({
	address: TOKEN.toLowerCase(),
	topics: topics(),
	data: word(1_500_000n),
	blockNumber: numberToHex(number),
	blockHash: buildBlock(number).hash,
	transactionHash: `0x${'77'.repeat(32)}`,
	logIndex: '0x0',
});

const isSymbol = ({ params: [call] }: Call) =>
	(call as { data: string }).data.startsWith('0x95d89b41');

const good: Answer = (call) => (isSymbol(call) ? text('USDX') : word(6n));

/** A chain whose blocks all have this log. */
function answering(logs: (number: number, call: Call) => readonly object[], token: Answer = good) {
	const { eth_getBlockByNumber } = chainOf(node);
	node.setAnswers({
		eth_getBlockByNumber,
		eth_getLogs: (call) =>
			blocksAsked(call, node.height).flatMap((number) => [...logs(number, call)]),
		eth_call: token,
	});
}

const amounts = (items: ReadonlyArray<Record<string, unknown>>) =>
	items.map(({ symbol, amount, value }) => [symbol, amount, value]);

const WITHOUT_FACTS = [null, null, '1500000'];
const WITH_FACTS = ['USDX', '1.5', '1500000'];

const calls = () => node.calls.filter(({ method }) => method === 'eth_call').length;

test.each<[string, Answer]>([
	['null', () => null],
	['nothing', () => '0x'],
	['an object', () => ({ symbol: 'USDX' })],
	['a number', () => 7],
	['no hex', () => 'zz'],
	['a revert', fails(3, '0x08c379a0')],
])('a node that answers questions about a token with %s holds up nothing', async (_what, odd) => {
	answering((number) => [transferIn(number)], odd);
	const trigger = await listening({ event: 'tokenTransfer' });
	node.mine();
	await trigger.has(1);
	answering((number) => [transferIn(number)]);
	node.mine();
	expect(amounts(await trigger.has(2))).toEqual([WITHOUT_FACTS, WITH_FACTS]);
	expect(trigger.failures).toEqual([]);
});

test.each<[string, Answer]>([
	['whatever gas is named', says('transaction gas limit is greater than the cap (16777216)')],
	['for want of the state', says('missing trie node')],
])(
	'a node that refuses, %s, is asked again: no transfer comes without its token',
	async (_, bad) => {
		hurry({ outageMs: 100 });
		answering((number) => [transferIn(number)], bad);
		const trigger = await listening({ event: 'tokenTransfer' });
		node.mine();
		await waitUntil(() => calls() > 8 && trigger.failures.length > 0);
		expect(trigger.items()).toEqual([]);
		answering((number) => [transferIn(number)]);
		expect(amounts(await trigger.has(1))).toEqual([WITH_FACTS]);
	},
);

test('a node that refuses the gas alone is asked without it', async () => {
	const isBound = ({ params: [call] }: Call) => 'gas' in (call as object);
	answering(
		(number) => [transferIn(number)],
		(call, client) =>
			isBound(call) ? says('exceeds block gas limit')(call, client) : good(call, client),
	);
	const trigger = await listening({ event: 'tokenTransfer' });
	node.mine();
	expect(amounts(await trigger.has(1))).toEqual([WITH_FACTS]);
	expect(trigger.failures).toEqual([]);
});

test('a limit is waited for', async () => {
	answering((number) => [transferIn(number)], fails(-32005));
	const trigger = await listening({ event: 'tokenTransfer' });
	node.mine();
	await moment(100);
	expect(trigger.items()).toEqual([]);
	answering((number) => [transferIn(number)]);
	expect(amounts(await trigger.has(1))).toEqual([WITH_FACTS]);
});

const OTHER = `0x${'d0'.repeat(20)}`;
const isOf =
	(token: string) =>
	({ params: [call] }: Call) =>
		(call as { to: string }).to === token;

/** Each block has a transfer of this token, and one of another. */
const ofBoth = (number: number) => [
	transferIn(number),
	{ ...transferIn(number), address: OTHER, logIndex: '0x1' },
];

test('a token over which the node falls silent is emitted all the same, and holds up no other', async () => {
	hurry({ requestTimeoutMs: 100 });
	answering(ofBoth, (call, client) => (isOf(OTHER)(call) ? NO_ANSWER : good(call, client)));
	const trigger = await listening({ event: 'tokenTransfer' });
	node.mine(2);
	await trigger.has(4);
	expect(amounts(trigger.items())).toEqual([WITH_FACTS, WITHOUT_FACTS, WITH_FACTS, WITHOUT_FACTS]);
});

test('a symbol without end is cut short, and what is known is not asked again', async () => {
	answering(
		(number) => [transferIn(number)],
		(call) => (isSymbol(call) ? text('x'.repeat(300_000)) : word(6n)),
	);
	const trigger = await listening({ event: 'tokenTransfer' });
	node.mine(3);
	const [first] = await trigger.has(3);
	expect(String(first?.symbol)).toBe(`${'x'.repeat(200)}…`);
	expect(calls()).toBe(2);
});

test('a hundred new tokens in one block are asked a few at a time', async () => {
	let [open, most] = [0, 0];
	answering(
		(number) =>
			Array.from({ length: 100 }, (_, index) => ({
				...transferIn(number),
				address: `0x${(index + 1).toString(16).padStart(40, 'd')}`,
				logIndex: numberToHex(index),
			})),
		(call, client) => {
			most = Math.max(most, ++open);
			const result = good(call, client);
			setTimeout(() => {
				open--;
				client.send(JSON.stringify({ jsonrpc: '2.0', id: call.id, result }));
			}, 1);
			return NO_ANSWER;
		},
	);
	const trigger = await listening({ event: 'tokenTransfer' });
	node.mine();
	expect((await trigger.has(100)).map(({ logIndex }) => logIndex)).toEqual(
		Array.from({ length: 100 }, (_, index) => index),
	);
	expect(most).toBeLessThanOrEqual(10);
});

test('a transfer that two searches find, in two forms, comes once', async () => {
	answering((number, call) => {
		const [filter] = call.params as [{ topics: unknown[] }];
		const isOfSender = filter.topics.length === 2;
		const log = transferIn(number);
		return [isOfSender ? log : { ...log, blockTimestamp: '0x1', logIndex: '0x00' }];
	});
	const trigger = await listening({ event: 'tokenTransfer', accounts: [PAYER, PAYEE] });
	node.mine(2);
	await trigger.has(2);
	await moment(50);
	expect(trigger.items().map(({ blockNumber }) => blockNumber)).toEqual([11, 12]);
});

test.each<[string, object]>([
	['a thing that cannot be divided', { topics: [...topics(), word(9n)], data: '0x' }],
	['a thing of the oldest kind', { topics: topics().slice(0, 1), data: `0x${'0'.repeat(192)}` }],
	['no amount', { data: '0x' }],
	['half an amount', { data: '0x01' }],
	['an amount that is no hex', { data: 'much' }],
	['an address that is none', { topics: [...topics().slice(0, 2), `0x${'f'.repeat(64)}`] }],
])('the transfer of %s is not emitted as an amount', async (_what, changes) => {
	answering((number) => [
		{ ...transferIn(number), ...changes },
		{ ...transferIn(number), logIndex: '0x1' },
	]);
	const trigger = await listening({ event: 'tokenTransfer' });
	node.mine(2);
	await trigger.has(2);
	await moment(30);
	expect(trigger.items().map(({ logIndex }) => logIndex)).toEqual([1, 1]);
	expect(trigger.failures).toEqual([]);
});
