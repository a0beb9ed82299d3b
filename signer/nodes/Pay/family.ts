import {
	createShared,
	FAMILIES,
	SWEEPS,
	openChain,
	type AskedSweep,
	type Family,
	type PayingFamily,
	type RestRequest,
	type RpcRequest,
	type RunContext,
	type SweptChain,
	type SweptFamily,
} from '../../../nodes/core';
import { loadKeyLibrary } from '../core/library';
import type { PreparedRequest } from '../core/prepared';
import type { DepositsRequest } from '../core/depositsClient';
import type { SigningRequest } from '../core/request';
import { DEFAULT_OPTIONS, type PayOptions } from './options';

/** A request to the chain, by the protocol of its family, or to a signer. */
export interface PayRequest {
	readonly rpc?: RpcRequest;
	readonly rest?: RestRequest;
	readonly signing?: SigningRequest;
	/** A request to the key of deposit addresses. */
	readonly deposits?: DepositsRequest;
}

/** Returns the functions that plan the payments of one item on a chain of the family, and find earlier ones. */
export function openFamily(
	name: Family,
	context: RunContext<PayRequest>,
	options: PayOptions,
): PayingFamily<PreparedRequest> {
	const family = FAMILIES[name];
	const terms = buildTerms(options);
	return family.protocol === 'rpc'
		? family.openPayments(openChain(withRpc(context), terms.path), terms)
		: family.openPayments(withRest(context), terms);
}

function buildTerms(options: PayOptions) {
	return { ...DEFAULT_OPTIONS, ...options, loadRecovery };
}

/** Returns the functions that collect the balances of addresses at one address, on a chain of the family. */
export function openSwept(
	name: SweptFamily,
	context: RunContext<PayRequest>,
	{ options, asked }: { readonly options: PayOptions; readonly asked: AskedSweep },
): SweptChain<PreparedRequest> {
	const terms = buildTerms(options);
	const swept = SWEEPS[name];
	return swept.protocol === 'rpc'
		? swept.open(openChain(withRpc(context), terms.path), terms, asked)
		: swept.open(withRest(context), asked);
}

/** Returns the context for a sweep, which does not reuse answers that other items have read. */
export function withoutMemory(context: RunContext<PayRequest>): RunContext<PayRequest> {
	return {
		...context,
		shared: createShared(),
		call: async ({ rpc, ...request }) =>
			await context.call(rpc ? { rpc: { ...rpc, isFresh: true } } : request),
	};
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
