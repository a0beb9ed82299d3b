import { createHash } from 'node:crypto';
import { utils } from 'tronweb';
import type { Sample } from '../sample.mts';
import type { World } from '../world.mts';
import { operationsOf } from './run.mts';

const KEY = '1'.repeat(64);
const OWNER = utils.address.fromPrivateKey(KEY) as string;
const LEADER = 'THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC';

export async function wallet(world: World): Promise<Sample[]> {
	const run = operationsOf(world, 'witnessWallet');
	const token = witnessOf(world.token);
	// Soon irreversible.
	await world.sandbox.control('PUT', '/wallet', { blockTime: 20 });
	const vote = await run('witness.vote', {
		ownerAddress: OWNER,
		votes: { vote: [{ voteAddress: LEADER, voteCount: '5' }] },
	});
	const broadcast = await run('witness.broadcast', { transaction: signed(vote) });
	const [{ txid } = {}] = broadcast.items;
	const own = { ownerAddress: OWNER };
	const waited = await run('transaction.wait', { transactionId: String(txid) });
	return [
		vote,
		await run('witness.create', { ...own, url: 'https://example.com' }),
		await run('witness.list', { limit: 3 }),
		{ ...broadcast, parameters: { transaction: '{{ $json }}' } },
		await run('account.get', { address: OWNER }),
		await run('transaction.buildTransfer', { ...own, toAddress: LEADER, amount: '1.5' }),
		await run('transaction.buildTokenTransfer', {
			...own,
			token,
			toAddress: LEADER,
			amount: '25.5',
		}),
		await run('transaction.buildFreeze', { ...own, amount: '100', forResource: 'energy' }),
		await run('transaction.buildUnfreeze', { ...own, amount: '10' }),
		ofNoRun(await run('transaction.get', { transactionId: String(txid) })),
		ofNoRun(waited),
		await run('contract.call', {
			contract: token,
			function: 'balanceOf(address owner) view returns (uint256)',
			argumentsBy: 'json',
			arguments: JSON.stringify([witnessOf(world.other)]),
		}),
		await run('api.request', { path: 'wallet/getaccount', body: askedAccount }),
	];
}

const askedAccount = JSON.stringify({ address: LEADER, visible: true });

/** Its ID and its block follow from the clock. */
function ofNoRun(sample: Sample): Sample {
	const same = {
		transactionId: createHash('sha256').update('transaction').digest('hex'),
		blockNumber: 70_000_001,
		timestamp: '2026-01-15T10:00:03.000Z',
	};
	return {
		...sample,
		parameters: { transactionId: '{{ $json.txid }}' },
		items: sample.items.map((item) => ({ ...item, ...same })),
	};
}

function witnessOf(address: string): string {
	return utils.address.fromHex(`41${address.slice(2)}`);
}

function signed({ items }: Sample): string {
	const built = structuredClone(items[0]) as never;
	return JSON.stringify(utils.crypto.signTransaction(KEY, built));
}
