import type { FindMethod, Method } from '../../rpc/method.mts';
import { callChain } from '../evm/methods.mts';

const signerMethods: Record<string, Method> = {
	eth_accounts: { params: { type: 'array', maxItems: 0 }, answer: callChain },
	eth_signTransaction: { params: { type: 'array', minItems: 1, maxItems: 1 }, answer: callChain },
};

/** A remote signer: it has the accounts of the chain, and answers these two methods and no others. */
export const findSignerMethod: FindMethod = (name) =>
	Object.hasOwn(signerMethods, name) ? signerMethods[name] : undefined;
