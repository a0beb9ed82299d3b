import type { Field, Params } from '../../../nodes/core/operation/field';
import { limit, returnAll, simplify } from '../../../nodes/core/operation/sharedFields';
import { path } from '../../../nodes/core/operation/path';
import { rpc } from '../../../nodes/core/rpc/chain';
import { restOptions, rpcOptions } from '../../../nodes/core/operation/transportOptions';
import { parameterReader } from '../../../nodes/core/operation/parameters';
import { rest } from '../../../nodes/core/rest/rest';
import { quantity } from '../../../nodes/core/values/numbers';
import { listOf } from '../../../nodes/core/values/json';

/** The compiler checks this file: a line that `@ts-expect-error` guards must not compile. */
type Same<A, B> =
	(<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_isSame: Same<A, B>) => undefined;

const amount = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	default: '0',
	read: quantity,
} as const satisfies Field;
const kind = {
	displayName: 'Kind',
	name: 'kind',
	type: 'options',
	default: 'a',
	options: [
		{ name: 'A', value: 'a' },
		{ name: 'B', value: 'b' },
	],
} as const satisfies Field;
const kinds = { ...kind, name: 'kinds', type: 'multiOptions' } as const satisfies Field;
const size = {
	displayName: 'Size',
	name: 'size',
	type: 'number',
	default: 1,
} as const satisfies Field;
const list = { ...amount, name: 'list', read: listOf(quantity) } as const satisfies Field;
const rows = {
	displayName: 'Rows',
	name: 'rows',
	type: 'fixedCollection',
	default: {},
	options: [{ name: 'row', displayName: 'Row', values: [amount, size] }],
} as const satisfies Field;

const all = [amount, kind, kinds, size, list, rows, returnAll, limit] as const;
type All = Params<typeof all>;

const texts = { name: 'Get', action: 'Get a thing', description: 'Get one thing' };
const answer = (body: unknown) => [String(body)];

describe('the types of parameters', () => {
	test('follow from the fields', () => {
		same<All['amount'], string>(true);
		same<All['kind'], 'a' | 'b'>(true);
		same<All['kinds'], Array<'a' | 'b'>>(true);
		same<All['size'], number>(true);
		same<All['list'], string[]>(true);
		same<All['rows'][number]['size'], number>(true);
		same<All['returnAll'], boolean>(true);
		// @ts-expect-error a number is not a text
		same<All['size'], string>(true);
		const given: Record<string, unknown> = {
			amount: 16,
			kinds: ['b'],
			list: '1',
			rows: { row: {} },
		};
		const read = parameterReader(({ name, default: usual }) => given[name] ?? usual, all);
		same<ReturnType<typeof read>, All>(true);
		expect(read(0)).toEqual({
			amount: '0x10',
			kind: 'a',
			kinds: ['b'],
			size: 1,
			list: ['0x1'],
			rows: [{ amount: '0x0', size: 1 }],
			returnAll: false,
			limit: 50,
		});
	});

	test('say that a hidden field may be undefined', () => {
		same<All['limit'], number | undefined>(true);
		const { limit: most }: Pick<All, 'limit'> = { limit: undefined };
		// @ts-expect-error the limit is undefined while all are returned
		expect(() => most.toFixed()).toThrow(TypeError);
	});

	test('say that an option may be missing', () => {
		const options = rpcOptions(size);
		type Options = Params<[typeof options]>['options'];
		same<Options['size'], number | undefined>(true);
		same<Options['timeout'], number | undefined>(true);
		const restOnly = restOptions();
		// @ts-expect-error only JSON-RPC has batches
		const stranger: keyof Params<[typeof restOnly]>['options'] = 'batchSize';
		expect(options.options.map(({ name }) => name)).toContain(stranger);
		expect(restOnly.options.map(({ name }) => name)).not.toContain(stranger);
	});
});

describe('an operation', () => {
	test('knows its parameters and its answer', () => {
		const get = rpc({
			...texts,
			fields: [amount, kind, simplify, path('/evm'), rpcOptions(size)],
			request: (p) => {
				same<typeof p.kind, 'a' | 'b'>(true);
				return { path: p.path, method: 'eth_get', params: [p.amount, p.options.size] };
			},
			answer,
			items: (found, p) => {
				same<typeof found, string[]>(true);
				return p.simplify ? found : [found];
			},
		});
		const parameters = {
			amount: '0x1',
			kind: 'a',
			simplify: true,
			path: '/evm',
			options: {},
		} as const;
		expect(get.request(parameters)).toEqual({
			path: '/evm',
			method: 'eth_get',
			params: ['0x1', undefined],
		});
		expect(get.items?.(['a', 'b'], parameters)).toEqual(['a', 'b']);
	});

	test('cannot misspell a parameter', () => {
		const get = rpc({
			...texts,
			fields: [amount, path('/')],
			// @ts-expect-error the field is called amount
			request: (p) => ({ path: p.path, method: 'eth_get', params: [p.amuont] }),
			answer,
			// @ts-expect-error there is no field called simplify
			items: (found, p) => (p.simplify ? found : []),
		});
		expect(get.fields.map(({ name }) => name)).toEqual(['amount', 'path']);
	});

	test('cannot misspell an option, nor compare a choice with what it does not offer', () => {
		const get = rest({
			...texts,
			fields: [kind, restOptions(size)],
			// @ts-expect-error the option is called size
			request: (p) => ({ path: '/', query: { size: p.options.sise } }),
			answer,
			// @ts-expect-error the choices are a and b
			items: (found, p) => (p.kind === 'c' ? found : []),
		});
		expect(get.fields).toHaveLength(2);
	});

	test('cannot leave out what the protocol needs', () => {
		// @ts-expect-error a call has params
		const get = rpc({ ...texts, fields: [], request: () => ({ path: '/', method: 'm' }), answer });
		// @ts-expect-error an answer is always checked
		const unchecked = rest({ ...texts, fields: [], request: () => ({ path: '/' }) });
		expect([get.name, unchecked.name]).toEqual(['Get', 'Get']);
	});
});
