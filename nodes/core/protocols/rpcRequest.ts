import type { ApiPath } from '../values/basic';

/** A call of a method. */
export interface RpcRequest {
	/** Below the credential's address; the empty path and `/` are two. */
	readonly path: ApiPath;
	readonly method: string;
	/** In the order that the method asks for, or by name. */
	readonly params: RpcParams;
	/** The id of a call that travels alone, as documented: 1 unless told. */
	readonly id?: number;
	/** The user says that this method reads, though its name does not. */
	readonly isRead?: boolean;
	/** Asked to see what has changed: an answer that another item got before will not do. */
	readonly isFresh?: boolean;
}

export type RpcParams = readonly unknown[] | Readonly<Record<string, unknown>>;
