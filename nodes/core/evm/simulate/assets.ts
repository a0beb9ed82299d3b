export type ChangeKind = 'coin' | 'erc20' | 'erc721' | 'erc1155';

/** An asset of which an account may hold an amount. Addresses are in lower case. */
export interface Asset {
	readonly kind: ChangeKind;
	/** Null for coins. */
	readonly token: string | null;
	/** Null but for NFTs. */
	readonly id: string | null;
}

/** What an event says was moved. */
export interface Move extends Asset {
	readonly from: string;
	readonly to: string;
	readonly value: bigint;
}

/** Who may spend what, as an event says. */
export interface Approval {
	readonly kind: 'erc20' | 'erc721' | 'all' | 'permit2';
	readonly token: string;
	readonly owner: string;
	readonly spender: string;
	/** The amount of an ERC-20, null where it is not known; 1 or 0 for the others: whether it is allowed. */
	readonly value: bigint | null;
	/** Null but for a single ERC-721. */
	readonly id: string | null;
	/** The contract like Permit2 that has the approval, where it is not the token itself. */
	readonly contract?: string;
	/** When it ends, in seconds since 1970, as far as that is known. */
	readonly expiration?: bigint;
}
