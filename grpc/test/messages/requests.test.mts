import { callOf, createGrpcSandbox } from '../support/grpcSandbox.mts';

const sandbox = createGrpcSandbox();

test.each<[string, string | object, RegExp]>([
	[
		'an unknown field',
		{ child: { nope: 1 } },
		/child\.nope is not a field of chain\.v1\.Everything$/,
	],
	['text for a number', { point: { x: 'far' } }, /point\.x must be sint64 .*; got "far"$/],
	[
		'a fraction for a long integer',
		'{"int64Value": 1.5}',
		/int64Value must be int64 .*; got 1\.5$/,
	],
	[
		'a number that is too large',
		{ int32Value: 2 ** 31 },
		/int32Value must be int32; got 2147483648$/,
	],
	[
		'bad base64',
		{ bytesValue: 'a!' },
		/bytesValue must be bytes in base64, or in hex after 0x; got "a!"$/,
	],
	[
		'an unknown name',
		{ kindList: ['KIND_ONE', 'KIND_TWO'] },
		/kindList\[1\] must be one of .*KIND_SEVEN; got "KIND_TWO"$/,
	],
	[
		'a bad time',
		{ timestamp: 'today' },
		/timestamp must be text such as "2025-01-31T12:00:00Z"; got "today"$/,
	],
	['one value for a list', { stringList: 'a' }, /stringList must be a list; got "a"$/],
	[
		'a bad key of a map',
		{ textsByNumber: { a: 'b' } },
		/textsByNumber must be an object that is a map<int64, string>; got/,
	],
	[
		'two of one choice',
		{ choiceText: 'a', choiceNumber: 1 },
		/choiceNumber and choiceText are alternatives: give only one$/,
	],
	['a list', '[]', /it must be a JSON object; got \[\]$/],
	['null', 'null', /it must be a JSON object; got null$/],
	['a field given twice', { int64Value: 1, int64_value: 1 }, /int64_value is given twice$/],
	['a number', '5', /it must be a JSON object; got 5$/],
	['no JSON', '{', /^'Request' must be JSON; got "\{"$/],
])('a request with %s is refused, and nothing is sent', async (_, request, words) => {
	const text = typeof request === 'string' ? request : JSON.stringify(request);
	const { error } = await sandbox.run(callOf('EchoService', 'Echo', text));
	expect(error?.message).toMatch(/^'Request' /);
	expect(error?.message).toMatch(words);
	const { calls } = await sandbox.seen();
	expect(calls.filter(({ method }) => method.includes('Echo'))).toEqual([]);
});
