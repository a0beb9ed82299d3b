import { hashInvoke, type PreparedInvoke } from './starkSigning.mts';

const CHAIN_ID = '0x534e5f5345504f4c4941';

/** Answers like a node that does not know a transaction before it is sent. The sending returns its hash. */
export function answerAsStarkNode({ json }: { readonly json: unknown }): unknown {
	const { method, params } = json as { readonly method: string; readonly params: unknown[] };
	if (method.endsWith('_chainId')) return CHAIN_ID;
	if (!method.endsWith('_addInvokeTransaction')) return null;
	const invoke = params[0] as Omit<PreparedInvoke, 'chainId'>;
	return { transaction_hash: hashInvoke({ ...invoke, chainId: CHAIN_ID }) };
}
