/** A call of a method. */
export interface RpcRequest {
	/** Below the credential's address; the empty path and `/` are two. */
	readonly path: string;
	readonly method: string;
	readonly params: readonly unknown[];
	/** The id of a call that travels alone, as documented: 1 unless told. */
	readonly id?: number;
	/** It sends a transaction: it travels alone and is never repeated. */
	readonly once?: boolean;
}
