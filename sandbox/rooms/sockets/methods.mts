import type { FindMethod, Method } from '../../rpc/method.mts';
import { callChain, findEvmMethod } from '../evm/methods.mts';
import * as schemas from '../evm/schemas.mts';

/** What the hosted node serves over HTTP, and the two methods that need a socket. */
export function createSocketMethods(subscriptions: Set<string>): FindMethod {
	const own: Record<string, Method> = {
		eth_subscribe: {
			params: schemas.subscription,
			answer: async (call, chain) => {
				const id = await callChain(call, chain);
				subscriptions.add(String(id));
				return id;
			},
		},
		eth_unsubscribe: {
			params: schemas.tuple({ type: 'string' }),
			answer: async (call, chain) => {
				subscriptions.delete(String(call.params[0]));
				return await callChain(call, chain);
			},
		},
	};
	return (name) => (Object.hasOwn(own, name) ? own[name] : findEvmMethod(name));
}
