import type { Field, Params } from '../../operation/field';
import type { ApiPath } from '../../operation/path';
import type {
	GeneratorOperation,
	RequestOperation,
	OperationInfo,
	Reservation,
	ReservingOperation,
	RunContext,
} from '../../operation/operation';
import type { CallOptions, RpcParams, RpcRequest } from './request';
import { createShared, sharedKey } from '../../net/pacing/shared';

/**
 * The functions by which operations use a chain. Items share values only on the same path, because another path may lead to another chain.
 */
export interface Chain extends Omit<RunContext<RpcRequest>, 'call'> {
	call(method: string, params: RpcParams, options?: CallOptions): Promise<unknown>;
	/** Returns the same node at another path. */
	atPath(path: ApiPath): Chain;
}

/** An operation that makes one call for an item, to the path that the user chose. */
interface CallOperation<Fields extends readonly Field[], Answer>
	extends Omit<
		RequestOperation<RpcRequest, Fields, Answer, Params<Fields>>,
		'plan' | 'request' | 'next'
	> {
	request(parameters: Params<Fields>): Omit<RpcRequest, 'path'>;
}

interface ChainOperation<Fields extends readonly Field[]> extends OperationInfo<Fields> {
	run(parameters: Params<Fields>, chain: Chain): AsyncIterable<unknown>;
}

interface ReservingChainOperation<Fields extends readonly Field[], Place extends Reservation>
	extends OperationInfo<Fields> {
	/**
	 * Reserves something for the item, such as a nonce. Is called before the operation awaits anything, so that
	 * reservations follow the order of the items.
	 */
	reserve(parameters: Params<Fields>, chain: Chain): Place;
	run(parameters: Params<Fields>, chain: Chain, place: NoInfer<Place>): AsyncIterable<unknown>;
}

/** Builds an operation over JSON-RPC. Its calls go to the path that the user chose. */
export function rpcOperation<const Fields extends readonly Field[], Answer>(
	operation: CallOperation<Fields, Answer>,
): RequestOperation<RpcRequest, Fields, Answer, Params<Fields>>;
export function rpcOperation<const Fields extends readonly Field[], Place extends Reservation>(
	operation: ReservingChainOperation<Fields, Place>,
): ReservingOperation<RpcRequest, Fields, Place>;
export function rpcOperation<const Fields extends readonly Field[]>(
	operation: ChainOperation<Fields>,
): GeneratorOperation<RpcRequest, Fields>;
export function rpcOperation<Fields extends readonly Field[], Place extends Reservation>(
	operation:
		| CallOperation<Fields, unknown>
		| ChainOperation<Fields>
		| ReservingChainOperation<Fields, Place>,
):
	| RequestOperation<RpcRequest, Fields, unknown, Params<Fields>>
	| GeneratorOperation<RpcRequest, Fields>
	| ReservingOperation<RpcRequest, Fields, Place> {
	type Given = Params<Fields>;
	type Context = RunContext<RpcRequest>;
	const getPath = (given: Given) => (given as { readonly path?: ApiPath }).path ?? '';
	if (!('run' in operation)) {
		const request = (given: Given) => ({ path: getPath(given), ...operation.request(given) });
		return { ...operation, request };
	}
	const open = (given: Given, context: Context) => openChain(context, getPath(given));
	if (!('reserve' in operation)) {
		const run = (given: Given, context: Context) => operation.run(given, open(given, context));
		return { ...operation, run };
	}
	return {
		...operation,
		reserve: (given, context) => operation.reserve(given, open(given, context)),
		run: (given, context, place) => operation.run(given, open(given, context), place),
	};
}

const MEMORIES_BY_PATH = sharedKey('rpc.memoriesByPath', () => new Map<string, Chain['shared']>());

/** Opens the chain at a path. All items with the same path share its values. */
export function openChain(context: RunContext<RpcRequest>, path: ApiPath): Chain {
	const memories = context.shared(MEMORIES_BY_PATH);
	const key = JSON.stringify(path);
	const shared = memories.get(key) ?? createShared();
	memories.set(key, shared);
	return {
		...context,
		shared,
		call: async (method, params, options) =>
			await context.call({ path, method, params, ...options }),
		atPath: (other) => openChain(context, other),
	};
}
