import type { IExecuteFunctions } from 'n8n-workflow';
import {
	connectNode,
	connectRest,
	connectRpc,
	createParameterParser,
	createParameterSource,
	InvalidInput,
	createOperationTyper,
	type Client,
	type Connect,
	type RestRequest,
	type RpcRequest,
} from '../../../nodes/core';
import { signerConnector, type SignerChoice } from '../core/client';
import type { SigningRequest } from '../core/request';
import { chain, operation, signWith } from './fields';
import type { Family } from './families/addresses';

/** A request to the chain, by the protocol of its family, or to the signer. */
export interface PayRequest {
	readonly rpc?: RpcRequest;
	readonly rest?: RestRequest;
	readonly signing?: SigningRequest;
}

export const payOperation = createOperationTyper<PayRequest>();

/** Connects the node of the chain, and the signer where something is to be signed. */
export const connectPay: Connect<PayRequest> = async (context, stop) => {
	const node = await connectChain(getChain(context))(context, stop);
	if (!needsSigner(context)) return node;
	const signer = await signerConnector(chooseSigner)(context, stop);
	return {
		...node,
		redact: (text) => signer.redact(node.redact(text)),
		isAtMostOnce: (request) =>
			request.signing
				? (signer.isAtMostOnce?.(request.signing) ?? false)
				: (node.isAtMostOnce?.(request) ?? false),
		call: async (request, call) => {
			if (!request.signing) return await node.call(request, call);
			// Another item may have failed: then nothing more is signed.
			stop.throwIfStopped();
			return await signer.call(request.signing, call);
		},
		close: () => {
			node.close?.();
			signer.close?.();
		},
	};
};

function getChain(context: IExecuteFunctions): Family {
	return createParameterParser(createParameterSource(context), [chain])(0).chain;
}

function needsSigner(context: IExecuteFunctions): boolean {
	return (
		createParameterParser(createParameterSource(context), [operation])(0).operation !== 'finish'
	);
}

const SIGNERS = { stark: 'stark', ton: 'ton', witness: 'key' } as const;

const chooseSigner = (
	source: Parameters<Parameters<typeof signerConnector>[0]>[0],
): SignerChoice => {
	const chosen = createParameterParser(source, [chain])(0).chain;
	if (chosen !== 'evm') return SIGNERS[chosen];
	return createParameterParser(source, [signWith])(0).signWith ?? 'key';
};

function connectChain(family: Family): Connect<PayRequest> {
	const speaksRpc = family === 'evm' || family === 'stark';
	return async (context, stop) =>
		speaksRpc
			? wrap('rpc', await connectNode(connectRpc)(context, stop))
			: wrap('rest', await connectNode(connectRest)(context, stop));
}

/** A client of one protocol takes its own requests out of those of a payment. */
function wrap<Key extends 'rpc' | 'rest'>(
	key: Key,
	client: Client<NonNullable<PayRequest[Key]>>,
): Client<PayRequest> {
	const unwrap = (request: PayRequest) => request[key] ?? throwOtherProtocol(key);
	return {
		...client,
		isAtMostOnce: (request) => client.isAtMostOnce?.(unwrap(request)) ?? false,
		call: async (request, call) => await client.call(unwrap(request), call),
	};
}

function throwOtherProtocol(key: string): never {
	throw new InvalidInput(`The chain is asked by ${key}`);
}
