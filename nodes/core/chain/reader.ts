import type { Shared } from '../net/pacing/shared';
import type { RestRequest } from '../protocols/rest';
import type { CallOptions, RpcParams } from '../protocols/rpc/request';

/** Reads from a chain's service. `Request` lists the arguments of a call. */
export interface Reader<Request extends readonly unknown[]> {
	call(...request: Request): Promise<unknown>;
	/** Returns a shared value, which is created on first use and lasts as long as the run or trigger. */
	readonly shared: Shared;
}

type RpcCall = [method: string, params: RpcParams, options?: CallOptions];

/** Reads from a chain over JSON-RPC. */
export type RpcReader = Reader<RpcCall>;

/** Reads from a chain over REST. */
export type RestReader = Reader<[request: RestRequest]>;

/** A reader without memory. */
export type RpcCaller = Pick<RpcReader, 'call'>;

/** A reader for REST without shared values. */
export type RestCaller = Pick<RestReader, 'call'>;

/** A context that lives as long as a run, and can pause requests. */
export interface Patience extends Pick<RpcReader, 'shared'> {
	/** Waits at least this long, and until this many calls may be sent. */
	wait(milliseconds: number, calls?: number): Promise<void>;
}

/** A reader that can wait. */
export type PatientRpcReader = RpcReader & Patience;
export type PatientRestReader = RestReader & Patience;
