import {
	openChain,
	type Family,
	type RestRequest,
	type RpcRequest,
	type RunContext,
} from '../../../../nodes/core';
import { USUAL_OPTIONS, type DefaultedOptions, type PayOptions } from '../fields';
import { openEvm } from './evm';
import type { PayingFamily, PayRequest } from './family';
import { openStark } from './stark';
import { openTon } from './ton';
import { openWitness } from './witness';

interface FamilyOfPayments {
	/** How its nodes are asked. */
	readonly protocol: 'rpc' | 'rest';
	open(context: RunContext<PayRequest>, terms: DefaultedOptions): PayingFamily;
}

/** How Chain Pay asks each family's nodes, and how it opens the family. */
export const FAMILIES_OF_PAYMENTS: Readonly<Record<Family, FamilyOfPayments>> = {
	evm: {
		protocol: 'rpc',
		open: (context, terms) => openEvm(openChain(withRpc(context), terms.path), terms),
	},
	witness: {
		protocol: 'rest',
		open: (context) => openWitness(withRest(context)),
	},
	ton: {
		protocol: 'rest',
		open: (context) => openTon(withRest(context)),
	},
	stark: {
		protocol: 'rpc',
		open: (context, terms) => openStark(openChain(withRpc(context), terms.path), terms),
	},
};

/** Opens the family of the chain for one item. */
export function openFamily(
	family: Family,
	context: RunContext<PayRequest>,
	options: PayOptions,
): PayingFamily {
	return FAMILIES_OF_PAYMENTS[family].open(context, { ...USUAL_OPTIONS, ...options });
}

function withRpc(context: RunContext<PayRequest>): RunContext<RpcRequest> {
	return { ...context, call: async (rpc) => await context.call({ rpc }) };
}

function withRest(context: RunContext<PayRequest>): RunContext<RestRequest> {
	return { ...context, call: async (rest) => await context.call({ rest }) };
}
