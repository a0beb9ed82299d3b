import { findRangeRefusal } from '../../../nodes/core/chain/rangeRefusal';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { parseResponse } from '../../../nodes/core/net/responses/response';
import { parseJsonIfValid, tryParseJson } from '../../../nodes/core/values/json';
import { JsonTooLarge } from '../../../nodes/core/values/jsonCost';
import { takeRows } from '../../harness/caseCount.mts';
import { ALLOWED_UNITS, measureLeastGap } from '../../harness/loopGap.mts';

const LONG = 10_000_000;
const list = (chars: number, part: string) => `[${part.repeat(chars / part.length)}1]`;
const named = (chars: number, member: (at: string) => string) =>
	Array.from({ length: chars / 20 }, (_, at) => member(at.toString(36))).join(',');

/** JSON texts of several kinds, by their length in characters. Parsing a long text takes about 0.5 to 3 seconds. */
const KINDS: Readonly<Record<string, (chars: number) => string>> = {
	'empty objects': (chars) => list(chars, '{},'),
	'empty lists': (chars) => list(chars, '[],'),
	'nested objects': (chars) => list(chars, '{"a":{"b":{"c":1}}},'),
	'small numbers': (chars) => list(chars, '1,'),
	'numbers that become texts': (chars) => list(chars, '12345678901234567890,'),
	'a number of many digits': (chars) => `[0.${'1'.repeat(3 * chars)}]`,
	'short texts': (chars) => list(chars, '"a",'),
	'a member of many names': (chars) => `{${named(chars, (at) => `"k${at}":1`)}}`,
	'objects with names of their own': (chars) => `[${named(chars, (at) => `{"${at}":1}`)}]`,
	'nothing but white space': (chars) => `[${' '.repeat(3 * chars)}]`,
	nulls: (chars) => list(3 * chars, 'null,'),
	'a long text': (chars) => `"${'a'.repeat(3 * chars)}"`,
	'a text of quotes': (chars) => `"${'\\"'.repeat(chars)}"`,
	'texts of quotes': (chars) => list(2 * chars, `"${'\\"'.repeat(50)}",`),
};

test.each(takeRows(Object.entries(KINDS), 5))(
	'JSON of %s is refused before it is parsed',
	(_, make) => {
		const text = make(LONG);
		expect(() => parseJsonIfValid(text)).toThrow(JsonTooLarge);
		expect(tryParseJson(text)).toBeUndefined();
	},
);

test.each(takeRows(Object.entries(KINDS), 14))(
	'JSON of %s that is just short enough leaves n8n its turns',
	async (_, make) => {
		let chars = LONG;
		while (!isTaken(make(chars))) chars *= 0.8;
		const text = make(chars);
		const parse = async () => parseJsonIfValid(text);
		expect(await measureLeastGap(parse)).toBeLessThan(ALLOWED_UNITS);
	},
);

function isTaken(text: string): boolean {
	try {
		return parseJsonIfValid(text) !== undefined;
	} catch {
		return false;
	}
}

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
const TRACE = {
	action: {
		...{ callType: 'call', from: hex(40), gas: hex(6), input: hex(264), to: hex(40), value: '0x0' },
	},
	...{ blockHash: hex(64), blockNumber: 19_000_000, result: { gasUsed: hex(5), output: hex(64) } },
	...{ subtraces: 2, traceAddress: [0, 1, 2], transactionHash: hex(64), transactionPosition: 7 },
	type: 'call',
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
	['twenty thousand logs, more than nodes give', Array(20_000).fill(LOG), 0],
	['a block of two thousand transactions', { transactions: Array(2000).fill(TRANSACTION) }, 2],
	['fifteen thousand traces, those of a full block', Array(15_000).fill(TRACE), 0],
	['a trace of fifteen thousand steps', { structLogs: Array(15_000).fill(STEP) }, 0],
	['data of 10 MB', { result: hex(LONG) }, 0],
])('%s is taken', (_, value, indent) => {
	const text = JSON.stringify(value, null, indent);
	const isWhole = JSON.stringify(parseJsonIfValid(text), null, indent) === text;
	expect(isWhole).toBe(true);
});

test('an answer that is too large is a failure in words, after which fewer blocks are searched', () => {
	const request = { method: 'POST', path: '/evm', timeout: 1000 } as const;
	const text = `{"jsonrpc":"2.0","id":1,"result":${list(LONG, '{},')}}`;
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
