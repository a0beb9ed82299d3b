import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { byFields } from '../support/byFields.mts';
import { everything } from '../support/everything.mts';
import { startProtoEcho } from '../support/protoEcho.mts';
import { getCaseCount } from '../../../test/harness/caseCount.mts';
import { getSeed } from '../../../test/harness/caseCount.mts';

/** Converts a message to the values of the editor's fields: nested values are text, and unset values are missing. */
const asTyped = (message: object) =>
	Object.fromEntries(
		Object.entries(message).map(([name, value]: [string, unknown]) => [
			name,
			typeof value === 'object' ? JSON.stringify(value) : value,
		]),
	);

/** Adapts a message to input by fields. There, an empty value counts as unset, and empty bytes are written as 0x. */
const withoutEmpty = (message: object) =>
	Object.fromEntries(
		Object.entries(message)
			.filter(([name, value]) => name !== 'fieldMask' || value !== '')
			.map(([name, value]: [string, unknown]) => [
				name,
				value === '' && /bytes/i.test(name) ? '0x' : value,
			]),
	);

test('has the same bytes as by JSON, typed and of expressions', async () => {
	const echo = await startProtoEcho();
	const proto = join(__dirname, '../../../sandbox/apis/grpc/protos/everything.proto');
	const texts = [
		readFileSync(proto, 'utf8'),
		`syntax = "proto3"; package a.b; import "0.proto";
			service S { rpc Do (chain.v1.Everything) returns (chain.v1.Everything); }`,
	];
	const call = { operation: 'call', method: 'Do' };
	const property = fc.asyncProperty(everything.map(withoutEmpty), async (message) => {
		const names = Object.keys(message);
		const expression = (name: string) => [name, `={{ $json.${name} }}`];
		const given = [
			{ request: JSON.stringify(message) },
			byFields(asTyped(message)),
			byFields(Object.fromEntries(names.map(expression))),
		];
		for (const request of given) {
			const { message: fault } = await echo.run(
				texts,
				{ ...call, ...request },
				message as IDataObject,
			);
			expect(fault).toBeUndefined();
		}
		const [json, ...others] = echo.requests.splice(0);
		expect(others).toEqual([json, json]);
	});
	await fc
		.assert(property, { seed: getSeed(20_261_123), numRuns: getCaseCount(30) })
		.finally(echo.stop);
}, 120_000);

describe('a request by fields for any JSON', () => {
	const content = `syntax = "proto3"; package a.b; import "google/protobuf/struct.proto";
		message M { google.protobuf.Value any = 1; string binding = 2; repeated string s = 3 [json_name = "a.b"]; }
		service S { rpc Do (M) returns (M); }`;

	test.each([
		[{ any: '"a"' }, { any: 'a' }],
		[{ any: '[1]' }, { any: [1] }],
		[{ any: 'null' }, { any: null }],
		[{ any: 7 }, { any: 7 }],
		[
			{ binding: 'x', 'a.b': '["y"]' },
			{ binding: 'x', 'a.b': ['y'] },
		],
	])('takes %j', async (value, sent) => {
		const echo = await startProtoEcho();
		const call = { operation: 'call', method: 'Do', ...byFields(value) };
		const { json, message } = await echo.run(content, call).finally(echo.stop);
		expect(message).toBeUndefined();
		expect(json[0]).toMatchObject(sent);
	});
});
