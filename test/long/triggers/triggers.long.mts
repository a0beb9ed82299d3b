import { setTimeout as pause } from 'node:timers/promises';
import { deployContract } from '../../harness/contract.mts';
import { createRandom } from '../../harness/random.mts';
import { createSandbox } from '../../harness/sandbox.mts';
import { shortenTimes } from '../../engine/evmRpcTrigger/support/shortTimes.mts';
import { figure } from '../../harness/figure.mts';
import { createOutages } from './outages.mts';
import { createWatches, type Watch } from './watches.mts';

const MINUTES = Number(process.env.LONG_MINUTES);
const SEED = Number(process.env.LONG_SEED);
/** The time limit for opening a connection and for an answer. */
const CONNECTION_TIMEOUT_MS = 1_000;
const LONGEST_PAUSE_MS = 150;
/** The number of minted tokens, which is more than the triggers ever pass on. */
const MINTED_QUANTITY = 1_000_000_000;
/** The time within which all events must be emitted after the last fault. */
const SETTLING_MS = 60_000;

const sandbox = createSandbox({ chain: true });

async function buildScene() {
	const accounts = (await sandbox.chain('eth_accounts')) as string[];
	const notes = await deployContract(sandbox, 'Notes');
	const coin = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
	const editions = await deployContract(sandbox, 'Editions', { file: 'Nfts' });
	for (const id of [1, 2]) {
		const data = editions.data(
			'mint(address,uint256,uint256)',
			BigInt(editions.owner),
			id,
			MINTED_QUANTITY,
		);
		await sandbox.mined({ from: editions.owner, to: editions.address, data });
	}
	// The twenty blocks protect the contracts, because no reorganization reaches that deep.
	await sandbox.chain('anvil_mine', '0x14');
	return { sandbox, notes, coin, editions, payer: String(accounts[1]), payee: String(accounts[2]) };
}

/** Waits until the emitted events equal the events on the chain. Returns the remaining difference. */
async function findDifference({ getFolded, expected }: Watch): Promise<string> {
	const wanted = await expected();
	for (const deadline = Date.now() + SETTLING_MS; Date.now() < deadline; await pause(200)) {
		const { left, faults } = getFolded();
		if (faults.length > 0) return faults.join('; ');
		if (JSON.stringify(left) === JSON.stringify(wanted)) return '';
	}
	const { left } = getFolded();
	const at = wanted.findIndex((one, index) => left[index] !== one);
	return `${left.length} are left of what was emitted, ${wanted.length} are on the chain; from ${at}: ${String(left[at])} for ${String(wanted[at])}`;
}

test('what the triggers have emitted is in the end what is on the chain', async () => {
	shortenTimes({ openingMs: CONNECTION_TIMEOUT_MS, requestTimeoutMs: CONNECTION_TIMEOUT_MS });
	const random = createRandom(SEED);
	const all = await buildScene();
	const watches = await createWatches(all);
	const trouble = createOutages(all, watches, random);
	const counts = new Map<string, number>();
	for (const end = Date.now() + MINUTES * 60_000; Date.now() < end; ) {
		const kinds = random.oneOf([trouble.chain, trouble.chain, trouble.chain, trouble.node]);
		const kind = random.upTo(15) === 0 ? trouble.n8n : kinds;
		const [name, happen] = random.oneOf(Object.entries(kind));
		await happen();
		counts.set(name, (counts.get(name) ?? 0) + 1);
		await pause(random.upTo(LONGEST_PAUSE_MS));
	}
	await sandbox.reset();
	await sandbox.chain('anvil_mine', '0x14');
	const differences = await Promise.all(watches.map(findDifference));
	await Promise.all(watches.map(async ({ workflow }) => await workflow.end()));
	for (const [name, count] of counts) figure(`${count} ${name}`);
	for (const { name, workflow, getFolded } of watches) {
		const items = workflow.items();
		const taken = items.filter(({ removed, reorganized }) => removed ?? reorganized).length;
		const { left } = getFolded();
		figure(
			`${name}: ${items.length} emitted, ${taken} of them after reorganizations, ${left.length} on the chain, ${workflow.failures()} failures reported`,
		);
	}
	expect(differences.filter(Boolean)).toEqual([]);
});
