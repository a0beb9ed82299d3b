import {
	openChain,
	type RestRequest,
	type RpcRequest,
	type RunContext,
} from '../../../../nodes/core';
import type { PayRequest } from '../client';
import { USUAL_OPTIONS, type PayOptions } from '../fields';
import type { Family } from './addresses';
import { openEvm } from './evm';
import type { PayingFamily } from './family';
import { openStark } from './stark';
import { openTon } from './ton';
import { openWitness } from './witness';

/** Opens the family of the chain for one item. */
export function openFamily(
	family: Family,
	context: RunContext<PayRequest>,
	options: PayOptions,
): PayingFamily {
	const terms = { ...USUAL_OPTIONS, ...options };
	switch (family) {
		case 'evm':
			return openEvm(openChain(withRpc(context), terms.path), terms);
		case 'stark':
			return openStark(openChain(withRpc(context), terms.path), terms);
		case 'ton':
			return openTon(withRest(context));
		case 'witness':
			return openWitness(withRest(context));
	}
}

function withRpc(context: RunContext<PayRequest>): RunContext<RpcRequest> {
	return { ...context, call: async (rpc) => await context.call({ rpc }) };
}

function withRest(context: RunContext<PayRequest>): RunContext<RestRequest> {
	return { ...context, call: async (rest) => await context.call({ rest }) };
}
