import { createHash } from 'node:crypto';
import { utils } from 'tronweb';
import type { Sample } from '../sample.mts';
import type { World } from '../world.mts';
import { createOperationRunner } from './run.mts';

const OWNER_KEY = '1'.repeat(64);
const OWNER_ADDRESS = utils.address.fromPrivateKey(OWNER_KEY) as string;
const LEADER_ADDRESS = 'THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC';

export async function runWallet(world: World): Promise<Sample[]> {
	const run = createOperationRunner(world, 'witnessWallet');
	const token = toWitnessAddress(world.token);
	// The block time is short, so that blocks are irreversible soon.
	await world.sandbox.control('PUT', '/wallet', { blockTime: 20 });
	const vote = await run('witness.vote', {
		ownerAddress: OWNER_ADDRESS,
		votes: { vote: [{ voteAddress: LEADER_ADDRESS, voteCount: '5' }] },
	});
	const broadcast = await run('witness.broadcast', { transaction: signBuilt(vote) });
	const [{ txid } = {}] = broadcast.items;
	const own = { ownerAddress: OWNER_ADDRESS };
	const waited = await run('transaction.wait', { transactionId: String(txid) });
	return [
		vote,
		await run('witness.create', { ...own, url: 'https://example.com' }),
		await run('witness.list', { limit: 3 }),
		{ ...broadcast, parameters: { transaction: '{{ $json }}' } },
		await run('account.get', { address: OWNER_ADDRESS }),
		await run('transaction.buildTransfer', { ...own, toAddress: LEADER_ADDRESS, amount: '1.5' }),
		await run('transaction.buildTokenTransfer', {
			...own,
			token,
			toAddress: LEADER_ADDRESS,
			amount: '25.5',
		}),
		await run('transaction.buildFreeze', { ...own, amount: '100', forResource: 'energy' }),
		await run('transaction.buildUnfreeze', { ...own, amount: '10' }),
		withFixedOutcome(await run('transaction.get', { transactionId: String(txid) })),
		withFixedOutcome(waited),
		await run('contract.call', {
			contract: token,
			function: 'balanceOf(address owner) view returns (uint256)',
			argumentsBy: 'json',
			arguments: JSON.stringify([toWitnessAddress(world.other)]),
		}),
		await run('api.request', { path: 'wallet/getaccount', body: ACCOUNT_BODY }),
	];
}

const ACCOUNT_BODY = JSON.stringify({ address: LEADER_ADDRESS, visible: true });

/** The ID and the block depend on the clock. */
function withFixedOutcome(sample: Sample): Sample {
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

function toWitnessAddress(address: string): string {
	return utils.address.fromHex(`41${address.slice(2)}`);
}

function signBuilt({ items }: Sample): string {
	const built = structuredClone(items[0]) as never;
	return JSON.stringify(utils.crypto.signTransaction(OWNER_KEY, built));
}
