import { SERVICE, createProtoEcho } from '../support/protoEcho.mts';

const echo = createProtoEcho();

const run: typeof echo.run = async (...given) => await echo.run(...given);
const echoed: typeof echo.echoed = async (...given) => await echo.echoed(...given);

test('names are looked up from the inside to the outside', async () => {
	const content = `syntax = "proto3"; package a.b; ${SERVICE}
		message T { string outer = 1; }
		message M {
			message T { string inner = 1; message U { T up = 1; } }
			T near = 1; .a.b.T far = 2; b.T half = 3; a.b.M.T whole = 4; T.U deep = 5;
		}`;
	const request = {
		near: { inner: 'a' },
		far: { outer: 'b' },
		half: { outer: 'c' },
		whole: { inner: 'd' },
		deep: { up: { inner: 'e' } },
	};
	expect(await echoed(content, request)).toEqual(request);
	expect(await echoed(content, { near: { outer: 'a' } })).toMatch(
		/near\.outer is not a field of a\.b\.M\.T/,
	);
});

test('files import files that import files, also of other packages', async () => {
	const files = [
		`syntax = "proto3"; package a.b; import "1.proto"; ${SERVICE} message M { c.N n = 1; d.O o = 2; }`,
		'syntax = "proto3"; package c; import public "2.proto"; message N { d.O o = 1; }',
		'syntax = "proto3"; package d; message O { string s = 1; }',
	];
	const request = { n: { o: { s: 'a' } }, o: { s: 'b' } };
	expect(await echoed(files, request)).toEqual(request);
});

test('proto2 has required fields, groups, extensions and lists that are not packed', async () => {
	const content = `package a.b; ${SERVICE}
		message M {
			required string must = 1;
			optional group Inner = 2 { optional int32 x = 1; repeated group More = 2 { optional int32 y = 1; } }
			repeated int32 loose = 3;
			repeated int32 packed = 4 [packed = true];
			optional int32 with_default = 5 [default = 7, json_name = "wd"];
			extensions 100 to 199;
			extend M { optional string nested = 101; }
		}
		extend M { repeated uint64 ext = 100; optional group Grouped = 102 { optional bool z = 1; } }`;
	const request = {
		must: 'a',
		inner: { x: 1, more: [{ y: 2 }, { y: 3 }] },
		loose: [1, 2],
		packed: [3, 4],
		wd: 5,
		'[a.b.ext]': ['1', '18446744073709551615'],
		'[a.b.M.nested]': 'b',
		'[a.b.grouped]': { z: true },
	};
	expect(await echoed(content, request)).toEqual(request);
	expect(await echoed(content, { loose: [1] })).toMatch(/does not fit a\.b\.M: must is required$/);
});

test('a group names its field in small letters, and its type may be that of a message, too', async () => {
	const content = `package a.b; ${SERVICE}
		message M { repeated group MyGroup = 1 { optional int32 x = 1; } optional MyGroup other = 2; }`;
	const request = { mygroup: [{ x: 1 }, { x: 2 }], other: { x: 3 } };
	expect(await echoed(content, request)).toEqual(request);
	expect(echo.requests.at(-1)).toBe('0b08010c0b08020c12020803');
});

test('proto3 has fields with presence where they are declared so, and maps and oneofs', async () => {
	const content = `syntax = "proto3"; package a.b; ${SERVICE}
		enum E { option allow_alias = true; ZERO = 0; FIRST = 1; SECOND = 1; MINUS = -1; }
		message M {
			optional int32 maybe = 1;
			int32 plain = 2;
			oneof choice { string text = 3; M message = 4; }
			map<string, M> by_name = 5;
			map<int64, E> by_number = 6;
			repeated E list = 7;
			reserved 8 to 10; reserved "old";
			;
		}`;
	const empty = { plain: 0, byName: {}, byNumber: {}, list: [] };
	expect(await echoed(content, {})).toEqual(empty);
	const request = {
		...empty,
		maybe: 0,
		message: { ...empty, text: '' },
		byName: { a: empty },
		byNumber: { '-5': 'MINUS' },
		list: ['FIRST', 'ZERO', 5],
	};
	expect(await echoed(content, request)).toEqual(request);
	expect(await echoed(content, { list: ['SECOND'] })).toEqual({ ...empty, list: ['FIRST'] });
});

test('editions say field by field how it is done', async () => {
	const content = `edition = "2023"; package a.b; option features.field_presence = IMPLICIT; ${SERVICE}
		message M {
			int32 implicit = 1;
			int32 explicit = 2 [features.field_presence = EXPLICIT];
			M delimited = 3 [features.message_encoding = DELIMITED];
			repeated int32 loose = 4 [features.repeated_field_encoding = EXPANDED];
			E closed = 5;
			enum E { option features.enum_type = CLOSED; ZERO = 0; ONE = 1; }
		}`;
	const empty = { implicit: 0, loose: [], closed: 'ZERO' };
	expect(await echoed(content, {})).toEqual(empty);
	const request = { implicit: 1, explicit: 0, delimited: empty, loose: [1], closed: 'ONE' };
	expect(await echoed(content, request)).toEqual(request);
	expect(await echoed(content, { closed: 2 })).toMatch(/closed must be one of ZERO, ONE; got 2/);
});

test('an error names the first of very many names', async () => {
	const values = Array.from({ length: 30 }, (_, index) => `V${index} = ${index};`).join(' ');
	const methods = Array.from({ length: 30 }, (_, index) => `rpc Do${index} (M) returns (M);`);
	const content = `syntax = "proto3"; package a.b; enum E { ${values} } message M { E e = 1; }
		service S { rpc Do (M) returns (M); ${methods.join(' ')} }`;
	expect(await echoed(content, { e: 'W' })).toMatch(/ e must be one of V0, .*, V19, …; got "W"$/);
	const { description } = await echo.run(content, { operation: 'call', method: 'Nope' });
	expect(description).toMatch(/^Its methods are: Do, Do0, .*, Do18, …\.$/);
});

test('well-known types need no import', async () => {
	const content = `syntax = "proto3"; package a.b; ${SERVICE}
		message M { google.protobuf.Timestamp at = 1; .google.protobuf.Value any = 2; }`;
	const request = { at: '2025-01-31T12:00:00Z', any: [1, { a: null }] };
	expect(await echoed(content, request)).toEqual(request);
});

test.each(['constructor', 'toString', 'hasOwnProperty'])(
	'a field and a message may be named %s',
	async (name) => {
		const content = `syntax = "proto3"; package a.b; ${SERVICE}
			message M { string ${name} = 1; N n = 2; message N { int32 ${name} = 1; } }`;
		const { message } = await run(content, { operation: 'describe' });
		if (message !== undefined)
			expect(message).toMatch(/^'Proto Files' cannot be used: 0\.proto, line \d/);
		else
			expect(await echoed(content, JSON.parse(`{"${name}":"a"}`))).toEqual(
				JSON.parse(`{"${name}":"a"}`),
			);
	},
);

test('a fault quotes no more than a person reads', async () => {
	const { message } = await run(`syntax = "proto3"; ${'/*'.repeat(10_000)}`, {
		operation: 'describe',
	});
	expect(message).toMatch(/^'Proto Files' cannot be used: 0\.proto, line 1: illegal token/);
	expect(message?.length).toBeLessThan(300);
});

const DESCRIPTOR = 'google.protobuf.FieldOptions';

test.each([
	['proto3', `extend ${DESCRIPTOR} { optional string note = 50001; }`],
	['proto3', `/* syntax = "proto2"; */ extend ${DESCRIPTOR} { optional string note = 50001; }`],
	['proto3', `message N { extend ${DESCRIPTOR} { optional string note = 50001; } }`],
	['proto3', 'enum Other { NONE = 0; }'],
])('a file of %s is read as such, whatever comes first: %s', async (syntax, first) => {
	const content = `// syntax = "proto2";\n syntax = '${syntax}'; package a.b; ${first} ${SERVICE}
		enum E { ZERO = 0; }
		message M {
			repeated int32 list = 1; int32 number = 2; E choice = 3; optional int32 maybe = 4;
			extend ${DESCRIPTOR} { optional string inner = 50002; }
			oneof one { string text = 5; }
			optional int32 last = 6;
		}`;
	expect(await echoed(content, {})).toEqual({ list: [], number: 0, choice: 'ZERO' });
	const request = { list: [1, 2], number: 0, choice: 7, maybe: 0, text: '', last: 0 };
	expect(await echoed(content, request)).toEqual(request);
	expect(echo.requests.at(-1)).toBe('0a020102180720002a003000');
});

test('a file without a syntax is proto2, and one of an edition begins with an extension as well', async () => {
	const extend = `extend ${DESCRIPTOR} { optional string note = 50001; }`;
	const rest = `package a.b; ${extend} ${SERVICE} message M`;
	expect(await echoed(`${rest} { optional int32 n = 1; }`, {})).toEqual({});
	const edition = `edition = "2023"; package a.b; ${extend.replace('optional ', '')} ${SERVICE}
		message M { int32 n = 1; int32 plain = 2 [features.field_presence = IMPLICIT]; }`;
	expect(await echoed(edition, {})).toEqual({ plain: 0 });
});

test('a group may stand in a oneof', async () => {
	const content = `package a.b; ${SERVICE}
		message M {
			oneof choice {
				group First = 1 { optional int32 x = 1; optional group Deeper = 2 { optional bool y = 1; } }
				string text = 2;
				group Second = 3 { repeated int32 z = 1; }
			}
			optional First other = 4;
		}`;
	const first = { first: { x: 1, deeper: { y: true } }, other: { x: 2 } };
	expect(await echoed(content, first)).toEqual(first);
	expect(echo.requests.at(-1)).toBe('0b080113080114' + '0c22020802');
	expect(await echoed(content, { second: { z: [1] } })).toEqual({ second: { z: [1] } });
	expect(await echoed(content, { second: {}, text: '' })).toMatch(
		/text and second are alternatives: give only one$/,
	);
});

test('blanks, lines and comments may stand after a minus', async () => {
	const content = `package a.b; ${SERVICE}
		enum E { A = - 1; B = -\n2; C = - /* the -3rd */ 3; D =-// "four"\n 4; reserved - 10, - 9 to - 8; }
		message M { repeated E list = 1; optional int32 n = 2 [default = - 5]; }`;
	const request = { list: ['A', 'B', 'C', 'D', -9] };
	expect(await echoed(content, { list: request.list.slice(0, 4) })).toEqual({
		list: ['A', 'B', 'C', 'D'],
	});
	expect(await echoed(content, request)).toMatch(/list\[4\] must be one of A, B, C, D; got -9$/);
	const wrong = content.replace('int32 n', 'Nope n');
	expect(await echoed(wrong, {})).toMatch(/0\.proto, line 5: Nope is not known/);
});

test.each([
	[String.raw`"\x41\102c"`, 'ABc'],
	[String.raw`"it's \"so\""`, 'it\'s "so"'],
	[String.raw`'it\'s "so"'`, 'it\'s "so"'],
	[String.raw`"\303\244\xe2\x82\xac"`, 'ä€'],
	[String.raw`"\u00e4\U0001f600\ud83d\ude00"`, 'ä😀😀'],
	[String.raw`"a\\b\tc\nd\?"`, 'a\\b\tc\nd?'],
	[String.raw`"// no /* comment" ' - 1'`, '// no /* comment - 1'],
])('the JSON name %s of a field is %j', async (literal, name) => {
	const content = `syntax = "proto3"; package a.b; ${SERVICE}
		message M { string text = 1 [json_name = ${literal}]; }`;
	expect(await echoed(content, { [name]: 'a' })).toEqual({ [name]: 'a' });
	expect(await echoed(content, { text: 'a' })).toEqual({ [name]: 'a' });
});
