import type { Socket } from 'node:net';

export type ReflectionVersion = 'v1' | 'v1alpha';

export interface GrpcSettings {
	reflection: ReflectionVersion[];
	/** Nothing passes any more, in either direction. */
	silent: boolean;
	/** The status of every call; null lets them through. */
	refuse: number | null;
}

export interface GrpcCall {
	/** `/package.Service/Method` */
	method: string;
	metadata: Record<string, string>;
	/** Null while open; 1 also when the call ended without an answer of the service. */
	code: number | null;
}

export interface GrpcState {
	settings: GrpcSettings;
	calls: GrpcCall[];
	/** Accepted so far, on both ports. */
	connections: number;
	open: Set<Socket>;
}

/** A reset forgets everything but the connections that are open. */
export const createGrpcState = (open = new Set<Socket>()): GrpcState => ({
	settings: { reflection: ['v1', 'v1alpha'], silent: false, refuse: null },
	calls: [],
	connections: 0,
	open,
});
