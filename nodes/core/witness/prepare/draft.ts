import type { RestRequest } from '../../protocols/rest';
import { stringifyExactJson } from '../../values/json';
import { formatMessageJson } from '../fieldTypes';
import { CONTRACTS, type ContractName } from '../transaction';

/** A transaction that a node is asked to build. */
export interface Draft {
	/** The node's method below `/wallet/`. */
	readonly method: string;
	readonly contract: ContractName;
	/** The values that the bytes must have: the chain's own names, addresses in hex (41…), integers as bigint. */
	readonly parameters: Readonly<Record<string, unknown>>;
	/** The memo in hex; empty for none. */
	readonly memo?: string;
	/** Whether the JSON of the transaction has its addresses in base58. */
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

/** The request to a node to build it. It is JSON text, since a number cannot hold every amount. */
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

/** Nodes take a memo as text if addresses are in base58. */
function formatMemo(memo: string, visible: boolean): string {
	return visible ? Buffer.from(memo, 'hex').toString() : memo;
}
