import type { Field } from '../core/operation/field';
import { pathField } from '../core/operation/path';
import { rpcOperation } from '../core/protocols/rpc/operation';
import { rpcOptions } from '../core/operation/transportOptions';
import { parseText, InvalidValue } from '../core/values/parse';
import { parseJsonParams } from '../core/values/json';
import { raise } from '../core/errors/raise';

const params = {
	displayName: 'Params',
	name: 'params',
	type: 'json',
	default: '[]',
	description:
		'The parameters of the method: a JSON array in the documented order, or a JSON object of names and values',
	parse: parseJsonParams,
} as const satisfies Field;

const safeToRepeat = {
	displayName: 'Safe to Repeat',
	name: 'safeToRepeat',
	type: 'boolean',
	default: false,
	description:
		'Whether the call changes nothing, so that it may be repeated, and sent in a batch with other calls',
} as const satisfies Field;

/** Makes the operation that calls any method of a node, with the parameters unchanged. */
export function rpcRequestOperation(example: string, path = pathField('/')) {
	const method = {
		displayName: 'Method',
		name: 'method',
		type: 'string',
		required: true,
		default: '',
		placeholder: `e.g. ${example}`,
		description: 'The name of any JSON-RPC method of the chain node',
		parse: (given: unknown) => {
			const name = parseText(given);
			return /^\S{1,200}$/.test(name)
				? name
				: raise(new InvalidValue(`the name of a method, such as ${example}`));
		},
	} as const satisfies Field;
	return rpcOperation({
		name: 'Request',
		action: 'Call any JSON-RPC method',
		description: 'Call a method that has no operation of its own, by its name',
		fields: [method, params, path, rpcOptions(safeToRepeat)],
		request: (p) => ({
			method: p.method,
			params: p.params,
			atMostOnce: p.options.safeToRepeat ? false : undefined,
		}),
		answer: (result) => result,
	});
}
