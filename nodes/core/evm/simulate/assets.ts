export type ChangeKind = 'coin' | 'erc20' | 'erc721' | 'erc1155';

/** An asset of which an account may hold an amount. Addresses are in lower case. */
export interface Asset {
	readonly kind: ChangeKind;
	/** Null for coins. */
	readonly token: string | null;
	/** Null but for NFTs. */
	readonly id: string | null;
}

/** A move that an event reports. */
export interface AssetMove extends Asset {
	readonly from: string;
	readonly to: string;
	readonly value: bigint;
}

/** An approval that an event reports. */
export interface Approval {
	readonly kind: 'erc20' | 'erc721' | 'all' | 'permit2';
	readonly token: string;
	readonly owner: string;
	readonly spender: string;
	/** The amount of an ERC-20, null if unknown. For other tokens 1 or 0: whether spending is allowed. */
	readonly value: bigint | null;
	/** Null, except for a single ERC-721. */
	readonly id: string | null;
	/** The contract like Permit2 that holds the approval, if it is not the token itself. */
	readonly contract?: string;
	/** When the approval ends, in seconds since 1970, if that is known. */
	readonly expiration?: bigint;
}
