import type { Field } from '../core/operation/field';
import { path } from '../core/operation/sharedFields';
import { rpc } from '../core/protocols/rpc';
import { rpcOptions } from '../core/protocols/transportOptions';
import { unfit } from '../core/values/read';
import { sends } from '../core/protocols/rpcMethods';
import { text } from '../core/values/basic';
import { jsonList } from '../core/values/json';

const method = {
	displayName: 'Method',
	name: 'method',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. eth_blockNumber',
	description: 'The name of any JSON-RPC method of the node',
	read: (given: unknown) => {
		const name = text(given);
		return /^\w+$/.test(name) ? name : unfit('the name of a method, such as eth_blockNumber');
	},
} as const satisfies Field;

const params = {
	displayName: 'Params',
	name: 'params',
	type: 'json',
	default: '[]',
	description: 'The parameters as a JSON array, in the order that the method asks for',
	read: jsonList,
} as const satisfies Field;

const request = rpc({
	name: 'Request',
	action: 'Send a JSON RPC request',
	description: 'Call any JSON-RPC method',
	fields: [method, params, path('/'), rpcOptions()],
	request: (p) => ({
		path: p.path,
		method: p.method,
		params: p.params,
		once: sends(p.method),
	}),
	answer: (result) => result,
});

export const rpcResource = { name: 'RPC', operations: { request } };
