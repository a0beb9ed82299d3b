import { findRangeRefusal } from '../../../nodes/core/chain/rangeRefusal';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { parseResponse } from '../../../nodes/core/net/responses/response';
import { parseJsonIfValid, tryParseJson } from '../../../nodes/core/values/json';
import { JsonTooLarge } from '../../../nodes/core/values/jsonCost';

/** To parse these takes some 0.5 to 3 seconds. */

const LONG = 10_000_000;
const list = (part: string) => `[${part.repeat(LONG / part.length)}1]`;
const named = (member: (at: string) => string) =>
	Array.from({ length: 500_000 }, (_, at) => member(at.toString(36))).join(',');

const LARGE: Readonly<Record<string, () => string>> = {
	'empty objects': () => list('{},'),
	'empty lists': () => list('[],'),
	'nested objects': () => list('{"a":{"b":{"c":1}}},'),
	'small numbers': () => list('1,'),
	'numbers that become texts': () => list('12345678901234567890,'),
	'a number of many digits': () => `[0.${'1'.repeat(LONG)}]`,
	'short texts': () => list('"a",'),
	'a member of many names': () => `{${named((at) => `"k${at}":1`)}}`,
	'objects with names of their own': () => `[${named((at) => `{"${at}":1}`)}]`,
	'nothing but white space': () => `[${' '.repeat(2 * LONG)}]`,
	'many nulls': () => list('null,').repeat(2),
	'a text of 20 MB': () => `"${'a'.repeat(2 * LONG)}"`,
};

test.each(Object.entries(LARGE))('JSON of %s is refused before it is parsed', (_, make) => {
	const text = make();
	expect(() => parseJsonIfValid(text)).toThrow(JsonTooLarge);
	expect(tryParseJson(text)).toBeUndefined();
});

const hex = (digits: number) => `0x${'a'.repeat(digits)}`;
const LOG = {
	address: hex(40),
	topics: [hex(64), hex(64), hex(64)],
	data: hex(64),
	blockNumber: '0x1234567',
	transactionHash: hex(64),
	transactionIndex: '0x1f',
	blockHash: hex(64),
	logIndex: '0x2a',
	removed: false,
};
const TRANSACTION = {
	...{ type: '0x2', chainId: '0x1', nonce: '0x9', gas: '0x5208', value: '0x1', input: hex(2000) },
	...{ maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1', gasPrice: '0x1', accessList: [] },
	...{ blockHash: hex(64), blockNumber: '0x1', transactionIndex: '0x1', hash: hex(64) },
	...{ from: hex(40), to: hex(40), v: '0x1', r: hex(64), s: hex(64), yParity: '0x1' },
};
const STEP = {
	pc: 1,
	op: 'PUSH1',
	gas: 1,
	gasCost: 3,
	depth: 1,
	stack: Array<string>(10).fill('0x1'),
};

test.each<[string, unknown, number]>([
	['ten thousand logs, more than most nodes give', Array(10_000).fill(LOG), 0],
	['a block of two thousand transactions', { transactions: Array(2000).fill(TRANSACTION) }, 2],
	['a trace of ten thousand steps', { structLogs: Array(10_000).fill(STEP) }, 0],
	['data of 10 MB', { result: hex(LONG) }, 0],
])('%s is taken', (_, value, indent) => {
	const text = JSON.stringify(value, null, indent);
	const isWhole = JSON.stringify(parseJsonIfValid(text), null, indent) === text;
	expect(isWhole).toBe(true);
});

test('an answer that is too large is a failure in words, after which fewer blocks are searched', () => {
	const request = { method: 'POST', path: '/evm' } as const;
	const text = `{"jsonrpc":"2.0","id":1,"result":${list('{},')}}`;
	const parse = () => parseResponse(request, { status: 200, headers: {}, text });
	expect(parse).toThrow('The response is too large');
	let failure: unknown;
	try {
		parse();
	} catch (thrown) {
		failure = thrown;
	}
	expect(failure).toMatchObject({
		description: expect.stringContaining('Ask for less at a time'),
		retry: undefined,
		maybeExecuted: true,
	});
	expect(findRangeRefusal(failure as RequestFailure, { from: 1, to: 100 })?.because).toBe(
		'contents',
	);
});
