import type { RpcCaller, RpcReader } from '../../../nodes/core/chain/reader';
import { readSteps } from '../../../nodes/core/trigger/news';
import { readHead } from '../../../nodes/core/evm/blocks';
import type { JsonObject } from '../../../nodes/core/values/json';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { hasBlock, createCursorAfter, type Cursor } from '../../../nodes/core/chain/cursor';
import type { LiveView } from '../../../nodes/core/evm/follow/views';
import type { ViewSource } from '../../../nodes/core/trigger/triggerEvent';
import { ChainFollower } from '../../../nodes/EvmRpcTrigger/chainFollower';
import { Inbox, type Connection } from '../../../nodes/EvmRpcTrigger/connection';
import { ExecutionQueue } from '../../../nodes/EvmRpcTrigger/executionQueue';
import type { SocketStep } from '../../../nodes/EvmRpcTrigger/listener';
import { DEFAULT_SOCKET_TIMING } from '../../../nodes/EvmRpcTrigger/start';
import { NO_PENDING_EXECUTIONS } from '../../../nodes/EvmRpcTrigger/restart';
import { stepsFrom } from './steps.mts';
import type { UnsteadyNode } from './unsteadyNode.mts';
import { ANY_AMOUNT } from './anyAmount.mts';
import { createShared } from '../../../nodes/core/net/pacing/shared';

interface Reading {
	/** The highest number of blocks to read, and the distance from the latest block at which reading ends. */
	readonly reach: number;
	readonly below: number;
}

/** A reader that follows a chain. When the chain stops changing, the emitted events equal the events on the chain. */
export interface Reader {
	readonly emitted: readonly JsonObject[];
	readonly cursor: Cursor;
	/** Reads the chain. Returns true if nothing prevented the reader from reading as far as it should. */
	read(reading: Reading): Promise<boolean>;
	/** Sets how often the next block is announced: 0 for a lost announcement, 2 for a repeated one. */
	setAnnouncements(times: number): void;
	/** Ends the connection, which the reader then opens again. */
	disconnect(): Promise<void>;
	end(): Promise<void>;
}

export type MakeReader = (
	node: UnsteadyNode,
	viewOn: (chain: RpcReader) => LiveView,
) => Promise<Reader>;

/** Creates a reader that works like the Activity Trigger, and stores its position as text after each poll. */
export const createPollingReader: MakeReader = async (node, viewOn) => {
	const emitted: JsonObject[] = [];
	let view = viewOn({ call: node.call, shared: createShared() });
	let saved = JSON.stringify(createCursorAfter(await readHead(node)));
	const cursor = () => JSON.parse(saved) as Cursor;
	return {
		emitted,
		get cursor() {
			return cursor();
		},
		read: async ({ reach, below }) => {
			try {
				const head = await readHead(node);
				const last = Math.max(0, Math.min(head.number - below, cursor().next - 1 + reach));
				const steps = stepsFrom(cursor(), view, head, last);
				const { reached, items, failure } = await readSteps(steps, Math.max(1, reach));
				if (failure) expect(failure).toBeInstanceOf(RequestFailure);
				emitted.push(...items);
				saved = JSON.stringify(reached ?? cursor());
				if (reached) expect(cursor()).toEqual(reached);
				return !failure;
			} catch (failure) {
				expect(failure).toBeInstanceOf(RequestFailure);
				return false;
			}
		},
		setAnnouncements: () => {},
		disconnect: async () => {
			view = viewOn({ call: node.call, shared: createShared() });
			return await Promise.resolve();
		},
		end: async () => await Promise.resolve(),
	};
};

/** Creates a reader that works like the EVM RPC Trigger, with the clock of the test. */
export const createFollowingReader: MakeReader = async (node, viewOn) => {
	const emitted: JsonObject[] = [];
	const report = jest.fn();
	const start = async (items: readonly JsonObject[]) => {
		emitted.push(...items);
		return await Promise.resolve('succeeded' as const);
	};
	const storage = { load: () => ({ pending: NO_PENDING_EXECUTIONS }), save: () => {} };
	const { signal } = new AbortController();
	const executions = new ExecutionQueue(start, storage, DEFAULT_SOCKET_TIMING, signal);
	const createView = ({ blocks }: ViewSource) => viewOn(blocks);
	const event = { watched: '', createView, least: ANY_AMOUNT };
	const timing = DEFAULT_SOCKET_TIMING;
	const deps = { executions, timing, report, addHint: jest.fn(), warnOfAnotherChain: report };
	const follower = new ChainFollower(event, Infinity, deps);
	const { cursor } = follower;
	cursor.resume({ id: '1', first: '0x1' }, await readHead(node));
	let times = 1;
	let line = connectTo(node, () => times);
	let isOver = false;
	const follow = () => {
		isOver = false;
		line = connectTo(node, () => times);
		const ended = takeSteps(follower.listen(line.connection), executions, line.connection.closed)
			.catch((failure: unknown) => expect(failure).toBeInstanceOf(RequestFailure))
			.finally(() => (isOver = true));
		return { ended };
	};
	let { ended } = follow();
	const end = async () => {
		line.end.abort();
		await jest.advanceTimersByTimeAsync(0);
		await ended;
	};
	return {
		emitted,
		get cursor() {
			return cursor.current;
		},
		read: async () => {
			if (isOver) ({ ended } = follow());
			await jest.advanceTimersByTimeAsync(DEFAULT_SOCKET_TIMING.maxPauseMs);
			return hasBlock(cursor.current, { ...node.head, number: Number(node.head.number) });
		},
		setAnnouncements: (so) => (times = so),
		disconnect: async () => {
			await end();
			({ ended } = follow());
		},
		end: async () => {
			await end();
			expect(report).not.toHaveBeenCalled();
		},
	};
};

/** Passes the found items on to the queue of executions, as the trigger does. */
async function takeSteps(
	steps: AsyncIterable<SocketStep>,
	executions: ExecutionQueue,
	closed: AbortSignal,
): Promise<void> {
	for await (const step of steps) {
		if (step.kind !== 'found') continue;
		executions.add(step);
		await executions.waitForRoom(closed);
	}
}

/** Connects to a node. If the connection is lost, calls without an answer fail. */
function connectTo(node: UnsteadyNode, times: () => number) {
	const end = new AbortController();
	const inbox = new Inbox(end.signal, DEFAULT_SOCKET_TIMING);
	node.announce = (block) => {
		for (let left = times(); left > 0; left--) inbox.put(block);
	};
	const call: RpcCaller['call'] = async (...asked) => {
		const answer = end.signal.aborted ? undefined : await node.call(...asked);
		if (end.signal.aborted) throw new RequestFailure('lost');
		return answer;
	};
	return { connection: { call, inbox, closed: end.signal } as unknown as Connection, end };
}
