import type { RestRequest } from '../../protocols/rest';
import { stringifyExactJson } from '../../values/json';
import { formatMessageJson } from '../fieldTypes';
import { CONTRACTS, type ContractName } from '../transaction';

/** A transaction that a node is asked to build. */
export interface Draft {
	/** The node's method below `/wallet/`. */
	readonly method: string;
	readonly contract: ContractName;
	/**
	 * The values that the transaction's bytes must have. Their names are the chain's own, addresses are in hex (41…),
	 * and integers are bigint.
	 */
	readonly parameters: Readonly<Record<string, unknown>>;
	/** The memo in hex. It is empty if there is no memo. */
	readonly memo?: string;
	/** Whether addresses in the JSON of the transaction are in base58. */
	readonly visible: boolean;
}

interface CoinTransfer {
	/** The accounts are in hex (41…). */
	readonly owner: string;
	readonly to: string;
	/** The amount is in sun. */
	readonly amount: bigint;
	readonly memo?: string;
	readonly visible: boolean;
}

export function draftCoinTransfer({ owner, to, amount, memo, visible }: CoinTransfer): Draft {
	return {
		method: 'createtransaction',
		contract: 'TransferContract',
		parameters: { owner_address: owner, to_address: to, amount },
		memo,
		visible,
	};
}

/**
 * Formats the request in which a node is asked to build the transaction. It is JSON text, because a number cannot
 * hold every amount.
 */
export function formatBuildRequest(draft: Draft): RestRequest {
	const { method, contract, parameters, memo = '', visible } = draft;
	return {
		path: `/wallet/${method}`,
		body: stringifyExactJson({
			...formatMessageJson(CONTRACTS[contract].fields, parameters, visible),
			...(memo !== '' && { extra_data: formatMemo(memo, visible) }),
			visible,
		}),
	};
}

/** Formats a memo for a request. If `visible`, nodes expect it as text. */
function formatMemo(memo: string, visible: boolean): string {
	return visible ? Buffer.from(memo, 'hex').toString() : memo;
}
