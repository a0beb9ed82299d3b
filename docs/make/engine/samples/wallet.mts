import { utils } from 'tronweb';
import type { Sample } from '../sample.mts';
import type { World } from '../world.mts';
import { operationsOf } from './run.mts';

const KEY = '1'.repeat(64);
const OWNER = utils.address.fromPrivateKey(KEY) as string;
const LEADER = 'THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC';

export async function wallet(world: World): Promise<Sample[]> {
	const run = operationsOf(world, 'witnessWallet');
	const vote = await run('vote', {
		ownerAddress: OWNER,
		votes: { vote: [{ voteAddress: LEADER, voteCount: '5' }] },
	});
	const built = structuredClone(vote.items[0]) as never;
	const transaction = JSON.stringify(utils.crypto.signTransaction(KEY, built));
	const broadcast = await run('broadcast', { transaction });
	return [
		vote,
		await run('create', { ownerAddress: OWNER, url: 'https://example.com' }),
		await run('list', { limit: 3 }),
		{ ...broadcast, parameters: { transaction: '{{ $json }}' } },
	];
}
