import type { IExecuteFunctions } from 'n8n-workflow';
import {
	connectNode,
	connectRest,
	connectRpc,
	FAMILIES,
	createParameterParser,
	createParameterSource,
	InvalidInput,
	createOperationTyper,
	type Client,
	type Connect,
	type Family,
	raise,
} from '../../../nodes/core';
import { connectChosen, type SignerChoice } from '../core/client';
import { connectDeposits } from '../core/depositsClient';
import type { PayRequest } from './family';
import { chain, operation, signWith } from './fields';
import { PAY_FORMS } from './forms';

export const payOperation = createOperationTyper<PayRequest>();

/** Connects the node of the chain, and the signer if the operation signs. */
export const connectPay: Connect<PayRequest> = async (context, stop) => {
	const { chain: family, signer: chosen, sweeps } = readChoices(context);
	const node = await connectChain(family)(context, stop);
	if (!chosen) return node;
	const signer = await connectChosen(chosen)(context, stop);
	const deposits = sweeps ? await connectDeposits(context) : undefined;
	return {
		...node,
		redact: (text) => signer.redact(node.redact(text)),
		isAtMostOnce: (request) =>
			request.signing
				? (signer.isAtMostOnce?.(request.signing) ?? false)
				: !request.deposits && (node.isAtMostOnce?.(request) ?? false),
		call: async (request, call) => {
			if (request.deposits) {
				if (request.deposits.kind === 'sign') stop.throwIfStopped();
				return await deposits?.call(request.deposits);
			}
			if (!request.signing) return await node.call(request, call);
			// Nothing more is signed once another item has failed.
			stop.throwIfStopped();
			return await signer.call(request.signing, call);
		},
		close: () => {
			node.close?.();
			signer.close?.();
		},
	};
};

interface Choices {
	readonly chain: Family;
	/** Undefined if nothing is signed. */
	readonly signer: SignerChoice | undefined;
	/** Whether the key of deposit addresses also signs. */
	readonly sweeps?: boolean;
}

/** Reads which credentials a run needs. A remote signer signs for EVM chains only. */
function readChoices(context: IExecuteFunctions): Choices {
	const source = createParameterSource(context);
	const { chain: family, operation: chosen } = createParameterParser(source, [chain, operation])(0);
	if (chosen === 'finish') return { chain: family, signer: undefined };
	if (chosen === 'sweep') return { chain: family, signer: PAY_FORMS[family].signer, sweeps: true };
	const way = createParameterParser(source, [chain, signWith])(0).signWith;
	return {
		chain: family,
		signer: way === 'remote' ? 'remote' : PAY_FORMS[family].signer,
	};
}

/**
 * How many calls per second may ask for the outcomes of payments on TRON. Each payment needs a call of its own there, and hundreds may wait
 * at the same time.
 */
const WITNESS_POLLS_PER_SECOND = 50;

function connectChain(family: Family): Connect<PayRequest> {
	const { protocol } = FAMILIES[family];
	if (family === 'witness') {
		return async (context, stop) => ({
			...wrap('rest', await connectNode(connectRest)(context, stop)),
			batchSize: WITNESS_POLLS_PER_SECOND,
		});
	}
	return async (context, stop) =>
		protocol === 'rpc'
			? wrap('rpc', await connectNode(connectRpc)(context, stop))
			: wrap('rest', await connectNode(connectRest)(context, stop));
}

/** Turns a client of one protocol into a client of payments, which handles only the requests of its protocol. */
function wrap<Key extends 'rpc' | 'rest'>(
	key: Key,
	client: Client<NonNullable<PayRequest[Key]>>,
): Client<PayRequest> {
	const unwrap = (request: PayRequest) => request[key] ?? raise(otherProtocolError(key));
	return {
		...client,
		isAtMostOnce: (request) => client.isAtMostOnce?.(unwrap(request)) ?? false,
		call: async (request, call) => await client.call(unwrap(request), call),
	};
}

function otherProtocolError(key: string): InvalidInput {
	return new InvalidInput(
		`Chain Pay stopped because of an error in its own code (no ${key} request). Report the error to the authors of the package`,
		'The error is not in your workflow.',
	);
}
