import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';
import type { Field } from '../../../nodes/core/operation/field';
import { buildProperties } from '../../../nodes/core/operation/panel';
import { createParameterParser } from '../../../nodes/core/operation/parameters';
import { restOptions } from '../../../nodes/core/operation/transportOptions';
import { createSource } from '../support/fakes.mts';

const first = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	default: 50,
	show: { '@version': [1] },
} as const satisfies Field;
const second = { ...first, default: 100, show: { '@version': [2, 2.1] } } as const satisfies Field;
const later = {
	displayName: 'Unit',
	name: 'unit',
	type: 'string',
	default: 'gwei',
	show: { '@version': [2, 2.1], limit: [100] },
} as const satisfies Field;
const fields = [first, second, later] as const;

const given = (version: number | undefined, raw: Readonly<Record<string, unknown>>) =>
	Object.assign(createSource(raw), { version });

describe('the fields of a version', () => {
	test.each([
		[undefined, { limit: 50 }],
		[1, { limit: 50 }],
		[2, { limit: 100, unit: 'gwei' }],
		[2.1, { limit: 100, unit: 'gwei' }],
		[3, {}],
	])('are what is read in version %p', (version, read) => {
		expect(createParameterParser(given(version, {}), fields)(0)).toEqual(read);
	});

	test('are shown only while their other conditions hold too', () => {
		expect(createParameterParser(given(2, { limit: 7 }), fields)(0)).toEqual({ limit: 7 });
	});

	test('of another version are not even asked for', () => {
		const stored = given(1, { limit: 7, unit: {} });
		expect(createParameterParser(stored, fields)(0)).toEqual({ limit: 7 });
		expect(stored.mock.calls.map(([field]) => field.default)).toEqual([50]);
	});

	test('may be options and parts of a row', () => {
		const read = { parse: (value: unknown) => `second ${String(value)}` };
		const options = restOptions(first, { ...second, ...read }) as Field;
		const rows = {
			displayName: 'Rows',
			name: 'rows',
			type: 'fixedCollection',
			default: {},
			options: [{ name: 'row', displayName: 'Row', values: [first, { ...second, ...read }] }],
		} as const satisfies Field;
		const stored = { options: { limit: 7 }, rows: { row: [{}] } };
		const of = (version: number) =>
			createParameterParser(given(version, stored), [options, rows])(0);
		expect(of(1)).toEqual({ options: { limit: 7 }, rows: [{ limit: 50 }] });
		expect(of(2)).toEqual({ options: { limit: 'second 7' }, rows: [{ limit: 'second 100' }] });
	});
});

describe('n8n fills in', () => {
	const list = {
		name: 'List',
		action: 'List things',
		description: 'List all things',
		fields,
		request: () => '/',
		answer: (body: unknown) => body,
	};
	const drawn = buildProperties({ thing: { name: 'Thing', operations: { list } } });
	const filled = (typeVersion: number, stored: INodeParameters) =>
		NodeHelpers.getNodeParameters(drawn, stored, true, false, { typeVersion } as INode, null);

	test.each([
		[1, { limit: 50 }],
		[2, { limit: 100, unit: 'gwei' }],
	])('what version %p has for what a workflow does not store', (version, usual) => {
		expect(filled(version, {})).toEqual({ resource: 'thing', operation: 'list', ...usual });
	});

	test.each([
		[1, 50],
		[2, 100],
	])('in version %p because n8n stores no default, which is %p there', (typeVersion, limit) => {
		const node = { typeVersion } as INode;
		const chosen = { resource: 'thing', operation: 'list', limit };
		expect(NodeHelpers.getNodeParameters(drawn, chosen, false, false, node, null)).toEqual({});
	});
});
