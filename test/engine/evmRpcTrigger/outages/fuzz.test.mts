import type { ChainObject } from '../../../../nodes/core/chain/objects';
import type { LiveView } from '../../../../nodes/core/follow/advance';
import { isKnown } from '../../../../nodes/core/follow/position';
import { headOf } from '../../../../nodes/core/chain/blocks';
import type { Caller, ChainReader } from '../../../../nodes/core/rpc/chain';
import { RequestFailure } from '../../../../nodes/core/errors/requestFailure';
import { Inbox, type Connection } from '../../../../nodes/EvmRpcTrigger/connection';
import { ChainFollower } from '../../../../nodes/EvmRpcTrigger/chainFollower';
import { ExecutionQueue } from '../../../../nodes/EvmRpcTrigger/executionQueue';
import { NO_STARTS } from '../../../../nodes/EvmRpcTrigger/starts';
import { hurry, timing } from '../support/hurry.mts';
import { moment, until } from '../support/scene.mts';
import type { UnsteadyChain } from '../support/unsteady.mts';
import { describeWalks } from '../support/walks.mts';

const LIVES = 5;
const CHAIN = { id: '1', first: '0x1' };

beforeEach(() => hurry({ gathering: 1, pause: 1 }));

/** A line that loses some announcements, and doubles others. */
function lineTo(chain: UnsteadyChain) {
	const end = new AbortController();
	const inbox = new Inbox(end.signal, timing);
	chain.announce = (block) => {
		const what = chain.random();
		if (what > 0.3) inbox.put(block);
		if (what > 0.9) inbox.put(block);
	};
	const call: Caller['call'] = async (...asked) => {
		const answer = end.signal.aborted ? undefined : await chain.call(...asked);
		if (end.signal.aborted) throw new RequestFailure('lost');
		return answer;
	};
	return { connection: { call, inbox, closed: end.signal } as unknown as Connection, end };
}

/** Follows the chain over several connections until all is emitted. */
async function emittedOf(chain: UnsteadyChain, viewOn: (chain: ChainReader) => LiveView) {
	const emitted: ChainObject[] = [];
	const begunAnew = jest.fn();
	const storage = { load: () => ({ starts: NO_STARTS }), save: () => {}, begunAnew };
	const start = async (items: readonly ChainObject[]) => {
		for (const item of items) emitted.push(item);
		return await Promise.resolve('succeeded' as const);
	};
	const executions = new ExecutionQueue(start, timing, new AbortController().signal);
	const deps = { executions, storage, timing, report: begunAnew };
	const follower = new ChainFollower(deps, [], viewOn, Infinity);
	const { position } = follower;
	const { number, hash } = chain.head;
	position.begin(CHAIN, { number: Number(number), hash });
	for (let life = 1; life <= LIVES; life++) {
		if (life === LIVES) chain.calm();
		const { connection, end } = lineTo(chain);
		const following = follower
			.follow(connection, () => {})
			.catch((failure: unknown) => expect(failure).toBeInstanceOf(RequestFailure));
		for (let changes = 40; changes > 0; changes--) {
			chain.change();
			await moment(1);
		}
		if (life === LIVES) {
			const head = await headOf(chain);
			await until(() => isKnown(position.cursor, head));
		}
		end.abort();
		await following;
	}
	expect(begunAnew).not.toHaveBeenCalled();
	return emitted;
}

describeWalks(12, emittedOf);
