import { abiParser } from '../../../../nodes/core/evm/abi/abi';
import { decodeEventLog, encodeEventTopics } from '../../../../nodes/core/evm/abi/event';
import { keccak256 } from '../../../../nodes/core/values/keccak';
import { catchThrown } from '../../support/fakes.mts';
import { hexOf } from './support/words.mts';

const A = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const B = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const [A_WORD, B_WORD] = [hexOf(BigInt(A)), hexOf(BigInt(B))];
const TRANSFER = 'event Transfer(address indexed from, address indexed to, uint256 value)';

const eventsOf = (given: string) => abiParser('event')(given).events;
const topic = eventsOf(TRANSFER)[0]?.topic;
const hashOf = (...bytes: Buffer[]) => `0x${keccak256(Buffer.concat(bytes)).toString('hex')}`;

function refused(given: string, where: unknown): unknown {
	return catchThrown(() => encodeEventTopics(eventsOf(given), where));
}

describe('the topics of an event', () => {
	test.each([
		['nothing', undefined, []],
		['empty text', '', []],
		['null', null, []],
		['an empty object', {}, []],
		['null for an argument', { from: null, to: undefined }, []],
		['the first', { from: A }, [A_WORD]],
		['the second', { to: A.toLowerCase() }, [null, A_WORD]],
		['both', { to: B, from: A }, [A_WORD, B_WORD]],
		['alternatives', { to: [A, B] }, [null, [A_WORD, B_WORD]]],
		['one alternative', { to: [A] }, [null, A_WORD]],
		['JSON', `{"to": ["${A}", "${B}"]}`, [null, [A_WORD, B_WORD]]],
	])('where %s is asked for', (_, where, places) => {
		expect(encodeEventTopics(eventsOf(TRANSFER), where)).toEqual([topic, ...places]);
	});

	test('name arguments without a name by their places', () => {
		const found = encodeEventTopics(eventsOf('event N(bool, uint8 indexed, int8 indexed b)'), {
			arg1: '0x7',
			b: [-1, 1],
		});
		expect(found.slice(1)).toEqual([hexOf(7), [hexOf(2n ** 256n - 1n), hexOf(1)]]);
	});

	test('are hashes where a value does not fit a topic', () => {
		const events = eventsOf('event H(string indexed s, bytes indexed b, uint8[] indexed l)');
		const word = (value: number) => Buffer.from(hexOf(value).slice(2), 'hex');
		const where = { s: ['', 'ä'], b: '0x1234', l: [[], [1, 2]] };
		expect(encodeEventTopics(events, where).slice(1)).toEqual([
			[hashOf(), hashOf(Buffer.from('ä'))],
			hashOf(Buffer.from('1234', 'hex')),
			[hashOf(), hashOf(word(1), word(2))],
		]);
	});

	test('of an anonymous event do not begin with its own', () => {
		const events = eventsOf('event A(uint8 indexed a, uint8 indexed b) anonymous');
		expect(encodeEventTopics(events, {})).toEqual([]);
		expect(encodeEventTopics(events, { b: 1 })).toEqual([null, hexOf(1)]);
	});

	test('of several events are alternatives', () => {
		const events = eventsOf(`${TRANSFER}\nevent A()\nevent A()`);
		expect(encodeEventTopics(events, {})).toEqual([[topic, events[1]?.topic]]);
		const both = 'event T(uint8 a)\nevent T(uint8 indexed a)';
		expect(encodeEventTopics(eventsOf(both), {})).toEqual([eventsOf(both)[0]?.topic]);
		expect(encodeEventTopics(eventsOf(`${TRANSFER}\nevent A() anonymous`), '')).toEqual([]);
	});

	test.each([
		[
			'what is not indexed',
			TRANSFER,
			{ value: 1 },
			`'Where' must be an object of indexed arguments (from, to); 'value' is not one of them; got {"value":1}`,
		],
		['what does not exist', TRANSFER, { from: A, toString: 1 }, "'toString' is not one"],
		[
			'anything of an event without',
			'event A(bool a)',
			{ a: true },
			"'Where' must be empty: only indexed arguments can be searched, and there are none in A",
		],
		[
			'anything of several events',
			'event A(bool indexed a)\nevent B()',
			{ a: true },
			"'Where' must be empty when several events are given (A, B)",
		],
		['a list', TRANSFER, [A], "'Where' must be a JSON object"],
		['broken JSON', TRANSFER, '{"from"', "'Where' must be valid JSON"],
		['a text', TRANSFER, 'from', "'Where' must be valid JSON"],
		[
			'no alternatives',
			TRANSFER,
			{ from: [] },
			"'Where > from' must be a value, or a list of at least one value; got []",
		],
		[
			'more alternatives than a node could take',
			'event N(string indexed n)',
			{ n: Array<string>(10_001).fill('') },
			"'Where > n' must be a value, or a list of at most 10000",
		],
		[
			'more values in lists than may be hashed',
			'event L(uint8[] indexed l)',
			{ l: Array<string>(10_000).fill(JSON.stringify([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])) },
			"'Where' must be at most 100000 values, with those in lists and tuples",
		],
		[
			'what does not fit',
			TRANSFER,
			{ from: '0x1' },
			"'Where > from' must be an address: 0x and 40 hex digits",
		],
		[
			'an alternative that does not fit',
			TRANSFER,
			{ from: [A, null] },
			"'Where > from[1]' must be an address",
		],
		[
			'empty text for an address',
			TRANSFER,
			{ from: '' },
			"'Where > from' must be an address: 0x and 40 hex digits; it is empty",
		],
		[
			'a list that is no alternative',
			'event L(uint8[] indexed l)',
			{ l: [1, 2] },
			"'Where > l[0]' must be a list; got 1",
		],
	])('are refused where it asks for %s', (_, event, where, message) => {
		expect(refused(event, where)).toMatchObject({ message: expect.stringContaining(message) });
	});
});

describe('a log of several events', () => {
	const { events } = abiParser('event')([
		'event Note(bytes32 indexed what, uint256 value) anonymous',
		'event Set(uint256 value)',
	]);
	const set = events.find(({ name }) => name === 'Set')?.topic;

	test('is of the one whose topic it begins with, whatever anonymous event it fits as well', () => {
		const log = { topics: [set], data: hexOf(7n) };
		expect(decodeEventLog(events, log)).toEqual({ event: 'Set', args: { value: '7' } });
	});

	test('is of the anonymous one if it begins with the topic of none', () => {
		const log = { topics: [hexOf(1n)], data: hexOf(7n) };
		const args = { what: hexOf(1n), value: '7' };
		expect(decodeEventLog(events, log)).toEqual({ event: 'Note', args });
	});
});
