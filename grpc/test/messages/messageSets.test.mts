import { SERVICE, createProtoEcho } from '../support/protoEcho.mts';

const echo = createProtoEcho();

const SCHEMA = `package a.b; ${SERVICE}
	message M { optional Set set = 1; repeated Set sets = 2; }
	message Set { option message_set_wire_format = true; extensions 4 to max; }
	message Number { extend Set { optional Number number = 1000; } optional int32 n = 1; }
	message Word { optional string w = 1; optional Set inner = 2; repeated int32 list = 3; }
	extend Set { optional Word word = 70000; optional Number far = 2147483646; }`;

const hex = (text: string) => Buffer.from(text.replace(/ /g, ''), 'hex');
const NUMBER = '[a.b.Number.number]';
const WORD = '[a.b.word]';

test('what a MessageSet holds goes in and out by the names of its extensions', async () => {
	const request = {
		set: { [NUMBER]: { n: 5 }, [WORD]: { w: 'a', inner: { [NUMBER]: { n: 6 } }, list: [1, 2] } },
		sets: [{ [NUMBER]: {} }, {}],
	};
	const sent = { ...request, sets: [{ [NUMBER]: {} }, {}] };
	sent.set[WORD].inner = { [NUMBER]: { n: 6 } };
	expect(await echo.echoed(SCHEMA, request)).toEqual(sent);
});

test('types have larger numbers than fields', async () => {
	const request = { set: { '[a.b.far]': { n: 7 } } };
	expect(await echo.echoed(SCHEMA, request)).toMatchObject(request);
	expect(echo.requests.at(-1)).toBe('0a0c' + '0b10feffffff071a0208070c');
});

test('each is an item of its own on the wire, as protoc writes it', async () => {
	await echo.echoed(SCHEMA, { set: { [NUMBER]: { n: 5 }, [WORD]: { w: 'a' } } });
	expect(echo.requests.at(-1)).toBe('0a14' + '0b10e8071a0208050c' + '0b10f0a2041a030a01610c');
});

test.each([
	['the message before its type', '0b 1a020805 10e807 0c', { [NUMBER]: { n: 5 } }],
	['a message in parts', '0b 10e807 1a020805 1a020806 0c', { [NUMBER]: { n: 6 } }],
	[
		'the item twice',
		'0b 10f0a204 1a021801 0c 0b 10f0a204 1a021802 0c',
		{ [WORD]: { list: [1, 2] } },
	],
	['no message', '0b 10e807 0c', { [NUMBER]: {} }],
	['no type', '0b 1a020805 0c', {}],
	['a type that is not described', '0b 10e907 1a020805 0c', {}],
	['something else inside', '0b 10e807 2005 1a020805 0c', { [NUMBER]: { n: 5 } }],
])('an answer with %s is read', async (_, items, set) => {
	const bytes = hex(items);
	echo.answers.push(Buffer.from([0x0a, bytes.length, ...bytes]));
	expect(await echo.echoed(SCHEMA, {})).toMatchObject({ set });
});

test('what is none of its extensions is refused', async () => {
	expect(await echo.echoed(SCHEMA, { set: { [NUMBER]: { n: 'a' } } })).toMatch(
		/set\[a\.b\.Number\.number\]\.n must be int32; got "a"$/,
	);
	expect(await echo.echoed(SCHEMA, { set: { '[a.b.nope]': {} } })).toMatch(
		/set\[a\.b\.nope\] is not a field of a\.b\.Set$/,
	);
});
