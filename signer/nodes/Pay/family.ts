import {
	FAMILIES,
	openChain,
	type Family,
	type PayingFamily,
	type RestRequest,
	type RpcRequest,
	type RunContext,
} from '../../../nodes/core';
import { loadKeyLibrary } from '../core/library';
import type { PreparedRequest } from '../core/prepared';
import type { SigningRequest } from '../core/request';
import { DEFAULT_OPTIONS, type PayOptions } from './fields';

/** A request to the chain, by the protocol of its family, or to the signer. */
export interface PayRequest {
	readonly rpc?: RpcRequest;
	readonly rest?: RestRequest;
	readonly signing?: SigningRequest;
}

/** Opens the family of the chain for one item. */
export function openFamily(
	name: Family,
	context: RunContext<PayRequest>,
	options: PayOptions,
): PayingFamily<PreparedRequest> {
	const family = FAMILIES[name];
	const terms = { ...DEFAULT_OPTIONS, ...options, loadRecovery };
	return family.protocol === 'rpc'
		? family.openPayments(openChain(withRpc(context), terms.path), terms)
		: family.openPayments(withRest(context), terms);
}

async function loadRecovery() {
	return (await loadKeyLibrary()).recoverSigner;
}

function withRpc(context: RunContext<PayRequest>): RunContext<RpcRequest> {
	return { ...context, call: async (rpc) => await context.call({ rpc }) };
}

function withRest(context: RunContext<PayRequest>): RunContext<RestRequest> {
	return { ...context, call: async (rest) => await context.call({ rest }) };
}
