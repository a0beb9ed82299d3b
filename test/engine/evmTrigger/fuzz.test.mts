import { isKnown, type Emission } from '../../../nodes/core/evm/follow/cursor';
import { headOf, type Ask } from '../../../nodes/core/evm/header';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import type { Connection } from '../../../nodes/EvmTrigger/connection';
import { followBlocks, type Subject } from '../../../nodes/EvmTrigger/followBlocks';
import { Inbox } from '../../../nodes/EvmTrigger/inbox';
import { Progress } from '../../../nodes/EvmTrigger/progress';
import { blocks, logs } from '../../../nodes/EvmTrigger/subjects';
import { hurry } from './hurry.mts';
import { moment, until, upTo } from './scene.mts';
import { expectBlocks, expectLogs, randomOf, UnsteadyChain } from './unsteady.mts';

const LIVES = 5;
const CHAIN = { id: '1', first: '0x1' };

beforeEach(() => hurry({ gathering: 1, pause: 1 }));

/** A line that loses some announcements, and doubles others. */
function lineTo(chain: UnsteadyChain) {
	const end = new AbortController();
	const inbox = new Inbox(end.signal);
	chain.announce = (block) => {
		const what = chain.random();
		if (what > 0.3) inbox.put(block);
		if (what > 0.9) inbox.put(block);
	};
	const ask: Ask = async (...call) => {
		const answer = end.signal.aborted ? undefined : await chain.ask(...call);
		if (end.signal.aborted) throw new RequestFailure('lost');
		return answer;
	};
	return { connection: { ask, inbox, over: end.signal } as unknown as Connection, end };
}

/** Follows the chain over several connections until all is told. */
async function newsOf(chain: UnsteadyChain, subjectOn: (ask: Ask) => Subject): Promise<Emission[]> {
	const emitted: Emission[] = [];
	const begunAnew = jest.fn();
	const memory = { load: () => undefined, save: () => {}, begunAnew };
	const progress = new Progress(memory, '', (emissions) => emitted.push(...emissions));
	const { number, hash } = chain.head;
	progress.begin(CHAIN, { number: Number(number), hash });
	for (let life = 1; life <= LIVES; life++) {
		if (life === LIVES) chain.calm();
		const { connection, end } = lineTo(chain);
		const following = followBlocks(connection, subjectOn(connection.ask), progress, () => {}).catch(
			(failure: unknown) => expect(failure).toBeInstanceOf(RequestFailure),
		);
		for (let changes = 40; changes > 0; changes--) {
			chain.change();
			await moment(1);
		}
		if (life === LIVES) {
			const head = await headOf(chain.ask);
			await until(() => isKnown(progress.cursor, head));
		}
		end.abort();
		await following;
	}
	expect(begunAnew).not.toHaveBeenCalled();
	return emitted;
}

describe.each(upTo(12, 12))('seed %i: whatever a chain and its node do', (seed) => {
	test('every log is told once, and taken back once', async () => {
		const chain = new UnsteadyChain(randomOf(seed), 0.15);
		expectLogs(await newsOf(chain, logs({ addresses: [], topics: [] })), chain);
	});

	test('every block is told once', async () => {
		const chain = new UnsteadyChain(randomOf(seed), 0.15);
		expectBlocks(await newsOf(chain, blocks), chain);
	});
});
