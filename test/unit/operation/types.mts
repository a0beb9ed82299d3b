import type { Field, Params } from '../../../nodes/core/operation/field';
import { limit, returnAll, simplify } from '../../../nodes/core/operation/sharedFields';
import { pathField } from '../../../nodes/core/operation/path';
import { rpcOperation } from '../../../nodes/core/protocols/rpc/operation';
import { restOptions, rpcOptions } from '../../../nodes/core/operation/transportOptions';
import { createParameterParser } from '../../../nodes/core/operation/parameters';
import { restOperation } from '../../../nodes/core/protocols/rest';
import { sharedKey, type Shared } from '../../../nodes/core/net/pacing/shared';
import { parseQuantity } from '../../../nodes/core/values/numbers';
import { listParser } from '../../../nodes/core/values/json';

/**
 * The command `npm run typecheck` checks this file, which has no tests. A line below `@ts-expect-error` must not
 * compile.
 */
type Same<A, B> =
	(<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_isSame: Same<A, B>) => undefined;

const amount = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	default: '0',
	parse: parseQuantity,
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
const list = { ...amount, name: 'list', parse: listParser(parseQuantity) } as const satisfies Field;
const rows = {
	displayName: 'Rows',
	name: 'rows',
	type: 'fixedCollection',
	default: {},
	options: [{ name: 'row', displayName: 'Row', values: [amount, size] }],
} as const satisfies Field;

export const all = [amount, kind, kinds, size, list, rows, returnAll, limit] as const;
type All = Params<typeof all>;

const texts = { name: 'Get', action: 'Get a thing', description: 'Get one thing' };
const answer = (body: unknown) => [String(body)];

export const reader = (given: unknown) => createParameterParser(() => given, all);

export function parametersFollowFromTheFields() {
	same<All['amount'], string>(true);
	same<All['kind'], 'a' | 'b'>(true);
	same<All['kinds'], Array<'a' | 'b'>>(true);
	same<All['size'], number>(true);
	same<All['list'], string[]>(true);
	same<All['rows'][number]['size'], number>(true);
	same<All['returnAll'], boolean>(true);
	// @ts-expect-error a number is not a text
	same<All['size'], string>(true);
	same<ReturnType<ReturnType<typeof reader>>, All>(true);
}

export function aHiddenFieldMayBeUndefined({ limit: most }: Pick<All, 'limit'>) {
	same<All['limit'], number | undefined>(true);
	// @ts-expect-error the limit is undefined while all are returned
	return most.toFixed();
}

export const options = rpcOptions(size);
export const restOnly = restOptions();
type Options = Params<[typeof options]>['options'];
type RestOptions = Params<[typeof restOnly]>['options'];

export function anOptionMayBeMissing() {
	same<Options['size'], number | undefined>(true);
	same<Options['timeout'], number | undefined>(true);
	const own: keyof Options = 'batchSize';
	// @ts-expect-error only JSON-RPC has batches
	const stranger: keyof RestOptions = 'batchSize';
	return [own, stranger];
}

export const knowsItsParametersAndItsAnswer = rpcOperation({
	...texts,
	fields: [amount, kind, simplify, pathField('/evm'), rpcOptions(size)],
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

export const knowsItsPlan = restOperation({
	...texts,
	fields: [amount, kind],
	plan: (p) => {
		same<typeof p.kind, 'a' | 'b'>(true);
		return { wei: BigInt(p.amount) };
	},
	request: (plan) => {
		same<typeof plan, { wei: bigint }>(true);
		return { path: '/', query: { wei: String(plan.wei) } };
	},
	answer,
	items: (found, { wei }) => [...found, wei],
});

export const cannotTakeOneThingForThePlanAndMakeAnother = [
	restOperation({
		...texts,
		fields: [amount],
		plan: (p) => ({ wei: BigInt(p.amount) }),
		// @ts-expect-error the plan has no amount
		request: (plan) => ({ path: '/', query: { amount: plan.amount } }),
		answer,
	}),
	restOperation({
		...texts,
		fields: [amount],
		// @ts-expect-error without a plan there are the parameters alone
		request: (plan: { readonly wei: bigint }) => ({ path: '/', query: { wei: String(plan.wei) } }),
		answer,
	}),
];

type Chosen = Params<readonly [typeof kind, ...Field[], typeof size]>;

export function fieldsThatAreNotKnownBeforeRunTimeHideNoOthers(p: Chosen) {
	same<typeof p.kind, 'a' | 'b'>(true);
	same<typeof p.size, number>(true);
	// @ts-expect-error nobody knows what it is
	const text: string = p.anything;
	return text;
}

export const cannotMisspellAParameter = rpcOperation({
	...texts,
	fields: [amount, pathField('/')],
	// @ts-expect-error the field is called amount
	request: (p) => ({ path: p.path, method: 'eth_get', params: [p.amuont] }),
	answer,
	// @ts-expect-error there is no field called simplify
	items: (found, p) => (p.simplify ? found : []),
});

export const cannotMisspellAnOptionNorCompareAChoiceWithWhatItDoesNotOffer = restOperation({
	...texts,
	fields: [kind, restOptions(size)],
	// @ts-expect-error the option is called size
	request: (p) => ({ path: '/', query: { size: p.options.sise } }),
	answer,
	// @ts-expect-error the choices are a and b
	items: (found, p) => (p.kind === 'c' ? found : []),
});

export const cannotLeaveOutWhatTheProtocolNeeds = [
	// @ts-expect-error a call has params
	rpcOperation({ ...texts, fields: [], request: () => ({ path: '/', method: 'm' }), answer }),
	// @ts-expect-error an answer is always checked
	restOperation({ ...texts, fields: [], request: () => ({ path: '/' }) }),
];

const PLACES = sharedKey('test.places', () => new Map<string, number>());

export const cannotShareWhatIsNotDeclared = (shared: Shared) => [
	same<ReturnType<typeof PLACES.create>, Map<string, number>>(true),
	shared(PLACES).get('a')?.toFixed(),
	// @ts-expect-error a function that makes a value has no name
	shared(() => new Map<string, number>()),
	// @ts-expect-error only sharedKey declares one
	shared({ name: 'test.places', create: () => new Map<string, number>() }),
];
