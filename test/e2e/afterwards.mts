import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { HDNodeWallet } from 'ethers';
import { isN8n1 } from '../../tools/paths.mjs';
import {
	DEPOSITS_PRIVATE_KEY,
	STARK_SIGNER,
	TEST_ADDRESS,
	TEST_KEY,
	TON_SECRET,
} from '../../demo/run/credentials.mts';
import { findSpellings } from '../harness/spellings.mts';
import { allLogs, database, logs } from './logs.mts';
import { demo, secrets } from './world.mts';

const OURS =
	/chain-infra|chain[A-Z]\w*Api|Chain (Platform|Node|EVM|Faucet|IPFS|L2|Signer|TON|Trace|Witness)/;
const TROUBLE = /\b(error|warn|warning|deprecat\w*|unhandled\w*|exception|failed|invalid)\b/i;
/**
 * A pattern for log lines that are expected: errors that tests cause on purpose, and lines of n8n 1 about each started
 * workflow.
 */
const EXPECTED =
	/^ {4}at |^ {3}- Test of |^Activated workflow "Test of |^400 Cannot save workflow: Node "Tested" /;

/** The secret keys of all signing credentials, in hex. */
const KEYS = [TEST_KEY, STARK_SIGNER.privateKey, TON_SECRET, readKey(DEPOSITS_PRIVATE_KEY)];

function readKey(extendedKey: string): string {
	return (HDNodeWallet.fromExtendedKey(extendedKey) as HDNodeWallet).privateKey;
}

function assertHoldsNoKey(text: string, where: string): void {
	assert.ok(!text.includes(DEPOSITS_PRIVATE_KEY), where);
	for (const key of KEYS) assert.deepEqual(findSpellings(key, [text]), [], where);
}

describe('when all is done', () => {
	it('n8n has logged no warning and no error of ours', async () => {
		// n8n's log contains colour codes, depending on the terminal.
		const text = stripVTControlCharacters(await logs());
		const lines = text.split('\n').filter((line) => OURS.test(line));
		assert.deepEqual(
			lines.filter((line) => TROUBLE.test(line) || !EXPECTED.test(line)),
			[],
		);
	});

	it("no secret is in n8n's logs", async () => {
		const text = await allLogs();
		for (const secret of secrets()) assert.ok(!text.includes(secret));
	});

	it("no spelling of a signer's key is in n8n's logs", async () => {
		assertHoldsNoKey(await allLogs(), 'the logs');
	});

	// n8n stores executions, workflows and credentials only in this database, and it encrypts credentials.
	it("no spelling of a signer's key is in n8n's database", async () => {
		const files = await database();
		const text = files.map((file) => file.toString('latin1')).join('\n');
		assert.ok(text.includes(TEST_ADDRESS), 'it does not hold what the signer put out');
		assert.ok(text.includes('The rule Max Amount forbids it'), 'nor what it refused');
		assertHoldsNoKey(text, 'the database');
		for (const key of KEYS) {
			const bytes = Buffer.from(key.replace(/^0x/, '').padStart(64, '0'), 'hex');
			assert.ok(!files.some((file) => file.includes(bytes)), 'the database holds its bytes');
		}
	});

	it('no secret is in any execution', async () => {
		const ids = await executions();
		assert.ok(ids.length > 50, `only ${ids.length} executions`);
		for (const id of ids) {
			const text = JSON.stringify(await demo.api.ask('GET', `/executions/${id}`));
			for (const secret of secrets()) assert.ok(!text.includes(secret), `execution ${id}`);
			assertHoldsNoKey(text, `execution ${id}`);
		}
	});
});

interface Page {
	results: Array<{ id: string }>;
	nextCursor: string | null;
}

/** Builds the query for a page of ids below `id`. n8n 1 needs both ends of the range. */
const before = (id: number | string) => `&firstId=0&lastId=${id}`;

async function executions(): Promise<string[]> {
	const ids: string[] = [];
	let place: string | null = isN8n1 ? before(Number.MAX_SAFE_INTEGER) : '';
	while (place !== null) {
		const query = `filter=%7B%7D&limit=100${place}`;
		const page: Page = await demo.api.ask('GET', `/executions?${query}`);
		ids.push(...page.results.map(({ id }) => id));
		place = isN8n1 ? olderThan(page) : page.nextCursor && `&cursor=${page.nextCursor}`;
	}
	return ids;
}

function olderThan({ results }: Page): string | null {
	const last = results.at(-1);
	return last ? before(last.id) : null;
}
