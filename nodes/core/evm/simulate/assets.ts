export type ChangeKind = 'coin' | 'erc20' | 'erc721' | 'erc1155';

/** Coins, a token or an NFT that an account may hold. Addresses are in lower case. */
export interface Asset {
	readonly kind: ChangeKind;
	/** Null for coins. */
	readonly token: string | null;
	/** Null but for NFTs. */
	readonly id: string | null;
}

/** A transfer of an asset, as an event reports it. */
export interface AssetMove extends Asset {
	readonly from: string;
	readonly to: string;
	readonly value: bigint;
}

/** An approval to spend tokens, as an event reports it. */
export interface Approval {
	readonly kind: 'erc20' | 'erc721' | 'all' | 'permit2';
	readonly token: string;
	readonly owner: string;
	readonly spender: string;
	/** The amount of an ERC-20 token, or null if it is unknown. For other tokens, 1 if spending is allowed, or 0 if not. */
	readonly value: bigint | null;
	/** Null, except for a single ERC-721. */
	readonly id: string | null;
	/** The contract that holds the approval, such as Permit2; undefined if the token itself holds it. */
	readonly contract?: string;
	/** When the approval ends, in seconds since 1970, if that is known. */
	readonly expiration?: bigint;
}
