import type { INodeProperties } from 'n8n-workflow';
import type { Field } from '../../nodes/core/operation/field';
import { authentication, limit, returnAll } from '../../nodes/core/operation/sharedFields';
import type { AnyOperation } from '../../nodes/core/operation/operation';
import { nodeProperties, properties, property } from '../../nodes/core/operation/properties';
import { quantity } from '../../nodes/core/values/quantity';

const amount = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 1',
	read: quantity,
} as const satisfies Field;

function operation(name: string, ...fields: Field[]): AnyOperation<string> {
	return {
		name,
		action: `${name} a thing`,
		description: `${name} one thing`,
		fields,
		request: () => '/',
		answer: (body) => body,
	};
}

const operations = {
	get: operation('Get', amount),
	getAll: operation('Get Many', returnAll, limit),
	set: operation('Set', amount),
};
const other = { list: operation('List', limit) };
const resources = {
	thing: { name: 'Thing', operations },
	other: { name: 'Other', operations: other },
};

const show = ({ displayOptions }: INodeProperties) => displayOptions?.show;
const named = (name: string, drawn: readonly INodeProperties[]) =>
	drawn.filter((one) => one.name === name);

describe('a node with operations alone', () => {
	const drawn = properties({ operations });

	test('begins with their menu, of which the first is chosen', () => {
		expect(drawn[0]).toMatchObject({
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			default: 'get',
			options: [
				{ name: 'Get', value: 'get', action: 'Get a thing', description: 'Get one thing' },
				{ name: 'Get Many', value: 'getAll' },
				{ name: 'Set', value: 'set' },
			],
		});
		expect(named('resource', drawn)).toEqual([]);
	});

	test('has each field once, shown for all the operations that share it', () => {
		expect(drawn.map(({ name }) => name)).toEqual(['operation', 'amount', 'returnAll', 'limit']);
		expect(drawn.slice(1).map(show)).toEqual([
			{ operation: ['get', 'set'] },
			{ operation: ['getAll'] },
			{ operation: ['getAll'], returnAll: [false] },
		]);
	});
});

describe('a node with resources', () => {
	const drawn = properties({ resources });

	test('begins with their menu', () => {
		expect(drawn[0]).toMatchObject({
			name: 'resource',
			default: 'thing',
			noDataExpression: true,
			options: [
				{ name: 'Thing', value: 'thing' },
				{ name: 'Other', value: 'other' },
			],
		});
	});

	test('has a menu of operations for each resource', () => {
		expect(named('operation', drawn).map((menu) => [menu.default, show(menu)])).toEqual([
			['get', { resource: ['thing'] }],
			['list', { resource: ['other'] }],
		]);
	});

	test('shows a field for its resource and its operations', () => {
		expect(named('limit', drawn).map(show)).toEqual([
			{ resource: ['thing'], operation: ['getAll'], returnAll: [false] },
			{ resource: ['other'], operation: ['list'], returnAll: [false] },
		]);
	});

	test('of a chain begins with the kind of credential, which is always shown', () => {
		const [first, second] = nodeProperties({ resources });
		expect(first).toEqual(authentication);
		expect(second?.name).toBe('resource');
	});
});

describe('a field as n8n draws it', () => {
	const nested = {
		displayName: 'Votes',
		name: 'votes',
		type: 'fixedCollection',
		default: {},
		show: { visible: [true] },
		options: [{ name: 'vote', displayName: 'Vote', values: [amount] }],
	} as const satisfies Field;
	const { read: _read, ...plain } = amount;

	test('says everything but what it says to this package alone', () => {
		expect(property(amount)).toEqual(plain);
		expect(property(nested)).toEqual({
			displayName: 'Votes',
			name: 'votes',
			type: 'fixedCollection',
			default: {},
			displayOptions: { show: { visible: [true] } },
			options: [{ name: 'vote', displayName: 'Vote', values: [plain] }],
		});
	});

	test('in a collection says no more either', () => {
		const options = {
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			default: {},
			options: [amount, { ...amount, name: 'other', show: { amount: ['1'] } }],
		} as const satisfies Field;
		expect(property(options).options).toEqual([
			plain,
			{ ...plain, name: 'other', displayOptions: { show: { amount: ['1'] } } },
		]);
	});

	test('with choices has a list of its own', () => {
		const drawn = property(authentication);
		expect(drawn.options).toEqual(authentication.options);
		expect(drawn.options).not.toBe(authentication.options);
	});
});
