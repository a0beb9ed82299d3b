import type { FindMethod, Method } from '../../rpc/method.mts';
import { askChain } from '../evm/methods.mts';

const methods: Record<string, Method> = {
	eth_accounts: { params: { type: 'array', maxItems: 0 }, answer: askChain },
	eth_signTransaction: { params: { type: 'array', minItems: 1, maxItems: 1 }, answer: askChain },
};

/** A remote signer: it has the accounts of the chain, and answers these two methods and no others. */
export const signerMethod: FindMethod = (name) =>
	Object.hasOwn(methods, name) ? methods[name] : undefined;
