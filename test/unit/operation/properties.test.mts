import type { INodeProperties } from 'n8n-workflow';
import type { Field } from '../../../nodes/core/operation/field';
import {
	authentication,
	limit,
	returnAll,
	simplify,
} from '../../../nodes/core/operation/sharedFields';
import type { AnyOperation } from '../../../nodes/core/operation/operation';
import {
	eventFields,
	buildNodeProperties,
	buildProperties,
	buildProperty,
	buildSubtitle,
} from '../../../nodes/core/operation/panel';
import { restOptions } from '../../../nodes/core/operation/transportOptions';
import { parseQuantity } from '../../../nodes/core/values/numbers';

const amount = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 1',
	parse: parseQuantity,
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

const options = (...own: Field[]) => restOptions(...own) as Field;
const operations = {
	get: operation('Get', amount, simplify, options()),
	getAll: operation('Get Many', returnAll, limit, simplify, options(amount)),
	set: operation('Set', amount, options()),
};
const alone = { list: operation('List', limit, options()) };
const things = { thing: { name: 'Thing', operations } };
const menu = { ...things, other: { name: 'Other', operations: alone } };

const show = ({ displayOptions }: INodeProperties) => displayOptions?.show;
const named = (name: string, drawn: readonly INodeProperties[]) =>
	drawn.filter((one) => one.name === name);
describe('a node with one resource', () => {
	const drawn = buildProperties(things);

	test('hides it: there is nothing to choose', () => {
		expect(drawn[0]).toMatchObject({ name: 'resource', type: 'hidden', default: 'thing' });
	});

	test('then has the menu of operations, of which the first is chosen', () => {
		expect(drawn[1]).toMatchObject({
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			default: 'get',
			displayOptions: { show: { resource: ['thing'] } },
			options: [
				{ name: 'Get', value: 'get', action: 'Get a thing', description: 'Get one thing' },
				{ name: 'Get Many', value: 'getAll' },
				{ name: 'Set', value: 'set' },
			],
		});
	});

	test('has each field once, shown for all that share it, behind what any of them has before it', () => {
		const fields = drawn.slice(2, -3);
		expect(fields.map(({ name }) => name)).toEqual(['amount', 'returnAll', 'limit', 'simplify']);
		expect(fields.map(show)).toEqual([
			{ operation: ['get', 'set'] },
			{ operation: ['getAll'] },
			{ operation: ['getAll'], returnAll: [false] },
			{ operation: ['get', 'getAll'] },
		]);
	});

	test('shows the operation, also where it is the only one', () => {
		const only = buildProperties({ other: menu.other });
		expect(only[0]).toMatchObject({ name: 'resource', type: 'hidden' });
		expect(only[1]).toMatchObject({ name: 'operation', type: 'options', default: 'list' });
	});
});

describe('the options of a node', () => {
	const shownOptions = (drawn: readonly INodeProperties[]) =>
		named('options', drawn)
			.filter(({ type }) => type === 'collection')
			.map((one) => [show(one), one.options?.map(({ name }) => name)]);
	const transport = ['concurrency', 'maxCallsPerSecond', 'maxRetries', 'maxWait', 'timeout'];

	test('are a collection for the operations that have the same ones', () => {
		expect(shownOptions(buildProperties(things))).toEqual([
			[{ operation: ['get', 'set'] }, transport],
			[{ operation: ['getAll'] }, ['amount', ...transport]],
		]);
	});

	test('are one collection for resources whose operations have the same names', () => {
		const get = operation('Get', options());
		const drawn = buildProperties({
			one: { name: 'One', operations: { get } },
			two: { name: 'Two', operations: { get } },
			three: { name: 'Three', operations: { get, set: get } },
		});
		expect(shownOptions(drawn)).toEqual([
			[{ resource: ['one', 'two'], operation: ['get'] }, transport],
			[{ resource: ['three'], operation: ['get', 'set'] }, transport],
		]);
	});

	test('end with a field that nobody sees, and that keeps what a workflow stores', () => {
		const drawn = buildProperties(menu);
		expect(drawn.at(-1)).toMatchObject({ name: 'options', type: 'hidden', default: {} });
		expect(show(drawn.at(-1)!)).toBeUndefined();
	});

	test('that differ between operations are offered in each form', () => {
		const drawn = buildProperties({
			one: { name: 'One', operations: { get: operation('Get', options(amount)) } },
			two: {
				name: 'Two',
				operations: { get: operation('Get', options({ ...amount, default: '1' })) },
			},
		});
		const offered = named('options', drawn).flatMap(
			(one) => (one.options ?? []) as INodeProperties[],
		);
		expect(named('amount', offered).map((one) => one.default)).toEqual(['', '1']);
	});

	test('are left out where no operation has options', () => {
		const drawn = buildProperties({ one: { name: 'One', operations: { get: operation('Get') } } });
		expect(drawn.map(({ name }) => name)).toEqual(['resource', 'operation']);
	});
});

describe('a node with resources', () => {
	const drawn = buildProperties(menu);

	test('begins with their menu', () => {
		expect(drawn[0]).toMatchObject({
			name: 'resource',
			type: 'options',
			default: 'thing',
			noDataExpression: true,
			options: [
				{ name: 'Thing', value: 'thing' },
				{ name: 'Other', value: 'other' },
			],
		});
	});

	test('has a menu of operations for each resource', () => {
		expect(named('operation', drawn).map((one) => [one.default, show(one)])).toEqual([
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
		const [first, second] = buildNodeProperties(menu);
		expect(first).toEqual(authentication);
		expect(second?.name).toBe('resource');
	});
});

test('the line below a node is its action in few words', () => {
	expect(buildSubtitle(things)).toBe(
		'={{ ({"thing.get":"get thing","thing.getAll":"get Many thing","thing.set":"set thing"})[$parameter["resource"] + "." + $parameter["operation"]] }}',
	);
});

test('an event is listed by its action, where it has one', () => {
	const described = { description: 'When it rains', fields: [] };
	const rain = { ...described, name: 'Rain', action: 'On rain (or snow)' };
	const [event] = eventFields({ rain, sun: { ...described, name: 'Sun' } }, 'rain');
	expect(buildProperty(event).options).toEqual([
		{ name: 'Rain', value: 'rain', action: 'On rain (or snow)', description: 'When it rains' },
		{ name: 'Sun', value: 'sun', description: 'When it rains' },
	]);
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
	const { parse: _parse, ...plain } = amount;

	test('says everything but what it says to this package alone', () => {
		expect(buildProperty(amount)).toEqual(plain);
		expect(buildProperty(nested)).toEqual({
			displayName: 'Votes',
			name: 'votes',
			type: 'fixedCollection',
			default: {},
			displayOptions: { show: { visible: [true] } },
			options: [{ name: 'vote', displayName: 'Vote', values: [plain] }],
		});
	});

	test("is hidden by n8n's own conditions, beside those for which it is shown", () => {
		const hide = { other: [{ _cnd: { not: 'this' } }] };
		expect(buildProperty({ ...amount, hide })).toEqual({ ...plain, displayOptions: { hide } });
		expect(buildProperty({ ...amount, hide }, { operation: ['get'] })).toEqual({
			...plain,
			displayOptions: { show: { operation: ['get'] }, hide },
		});
	});

	test('in a collection says no more either', () => {
		const collection = {
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			default: {},
			options: [amount, { ...amount, name: 'other', show: { amount: ['1'] } }],
		} as const satisfies Field;
		expect(buildProperty(collection).options).toEqual([
			plain,
			{ ...plain, name: 'other', displayOptions: { show: { amount: ['1'] } } },
		]);
	});

	test('with choices has a list of its own', () => {
		const drawn = buildProperty(authentication);
		expect(drawn.options).toEqual(authentication.options);
		expect(drawn.options).not.toBe(authentication.options);
	});
});
