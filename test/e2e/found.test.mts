import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { installN8n } from '../../demo/install/install.mjs';
import { JOBS } from '../harness/jobs.mts';
import { createCatalog, listOthers, listOurs, type Catalog } from './catalog.mts';

const jobs = Object.entries(JOBS);
/** These shares of the jobs must find a fitting node as the first, or among the first three. */
const FIRST_SHARE = 0.9;
const THREE_SHARE = 0.97;

let catalog: Catalog;
let otherNames: string[];
let reachable: typeof jobs;

before(async () => {
	await installN8n();
	const [others, ours] = [listOthers(), await listOurs()];
	catalog = createCatalog([...others, ...ours]);
	otherNames = others
		.filter(({ hidden, name }) => !hidden && !name.endsWith('Trigger'))
		.map(({ displayName }) => displayName);
	reachable = jobs.filter(([typed, [wanted]]) => {
		const [node] = ours.filter(({ name }) => name.endsWith(`.${wanted}`));
		const ideal = { ...node!, codex: { alias: typed.split(' ') } };
		return createCatalog([...others, ideal]).build(typed)[0] === wanted;
	});
});

/** A panel's entry for a node stands for its trigger as well. */
function isWanted(wanted: readonly string[], found: string | undefined): boolean {
	return found !== undefined && wanted.some((one) => one === found || one === `${found}Trigger`);
}

/** Lists the jobs whose first nodes are all unfitting, with what is found instead. */
function listMisses(
	asked: typeof jobs,
	search: (typed: string) => string[],
	first: number,
): string[] {
	return asked
		.map(([typed, wanted]) => ({ typed, wanted, found: search(typed).slice(0, first) }))
		.filter(({ wanted, found }) => !found.some((one) => isWanted(wanted, one)))
		.map(({ typed, found }) => `${typed}: ${found.join(', ')}`);
}

function assertFound(asked: typeof jobs, search: (typed: string) => string[]) {
	for (const [first, share] of [
		[1, FIRST_SHARE],
		[3, THREE_SHARE],
	] as const) {
		const misses = listMisses(asked, search, first);
		console.log(`${asked.length - misses.length} of ${asked.length} among the first ${first}`);
		assert.ok(misses.length <= asked.length * (1 - share), misses.join('\n'));
	}
}

describe('among all nodes of n8n, by the words of a hundred jobs', () => {
	it('the panel finds the node that does the job', () => {
		assertFound(jobs, (typed) => catalog.panel(typed));
	});

	it("n8n's builder finds it wherever a node with each of the words as an alias would be first", () => {
		assert.ok(reachable.length >= jobs.length * 0.65, String(reachable.length));
		assertFound(reachable, (typed) => catalog.build(typed));
	});

	it('nobody who types the name of another node is shown one of ours first', () => {
		const isOurs = (name = '.') => !name.includes('.');
		assert.deepEqual(
			otherNames.filter((name) => isOurs(catalog.panel(name)[0])),
			[],
		);
	});
});
