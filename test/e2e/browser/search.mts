import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { isLocked } from '../../../tools/paths.mjs';
import { ACTION_WISHES, NODE_WISHES } from '../../harness/searchTerms.mts';
import { part, picture, pictures, TWO_AT_A_TIME, visit } from './browser.mts';
import { item, openPanel, search } from './panel.mts';

/**
 * The names of our nodes in n8n's panel. The panel drops the word Trigger, and shows a node and its trigger as one
 * entry.
 */
const ALL = [
	'Chain Activity',
	'Chain EVM RPC',
	'Chain Faucet',
	'Chain IPFS Pin',
	'Chain L2 Simulate',
	'Chain Platform',
	'Chain STARK',
	'Chain Signer',
	'Chain TON',
	'Chain TON Fee',
	'Chain Trace',
	'Chain Witness Wallet',
	'Chain gRPC',
];

/** Words that users may search for, and the node that must come first. */
const WORDS = {
	IPFS: 'Chain IPFS Pin',
	faucet: 'Chain Faucet',
	TRON: 'Chain Witness Wallet',
	Starknet: 'Chain STARK',
	TON: 'Chain TON',
};

const WISHES = [...ACTION_WISHES, ...NODE_WISHES];

/** The number of nodes that are visible without scrolling. Other versions of n8n may list other nodes first. */
const FIRST = isLocked ? 5 : Infinity;

/** The expected rank of our nodes for some words. For `send`, n8n lists nodes that send mail first. */
const LATER: Readonly<Record<string, number>> = { send: FIRST + 1 };

describe('the node panel', TWO_AT_A_TIME, () => {
	it('finds our nodes', async () => {
		await visit('/workflow/new', async (page) => {
			await openPanel(page);
			await search(page, 'chain');
			for (const name of ALL) await item(page, name).waitFor();
			await pictures(page, 'search-chain');
			for (const [word, name] of Object.entries(WORDS)) {
				const names = await listedFor(page, word, name);
				await picture(page, `search-${word}`);
				assert.equal(names[0], name, `${word}: ${names.join(', ')}`);
			}
		});
	});

	it('has what people want among the first nodes', async () => {
		await visit('/workflow/new', async (page) => {
			await openPanel(page);
			for (const { word, node } of WISHES) {
				const names = await listedFor(page, word, node);
				const first = names.slice(0, LATER[word] ?? FIRST);
				assert.ok(first.includes(node), `${word}: ${names.slice(0, 10).join(', ')}`);
			}
		});
	});

	it('shows what each node can do in the words of who wants it', async () => {
		await visit('/workflow/new', async (page) => {
			await openPanel(page);
			for (const node of new Set(WISHES.map((wish) => wish.node))) {
				await search(page, node);
				await item(page, node).click();
				await unfold(page);
				const wishes = WISHES.filter((wish) => wish.node === node);
				const actions = wishes.flatMap((wish) => wish.actions);
				for (const action of actions) await item(page, action).waitFor();
				await part(page, 'nodes-list-header').getByRole('button').first().click();
			}
		});
	});
});

/** Searches for a word, and returns the names of the found nodes after the expected node has appeared. */
async function listedFor(page: Page, word: string, node: string): Promise<string[]> {
	await search(page, '');
	await item(page, node).waitFor({ state: 'detached' });
	await search(page, word);
	await item(page, node).waitFor();
	const names = await part(page, 'node-creator-item-name').allTextContents();
	return names.map((name) => name.trim());
}

/** Unfolds the lists of triggers and actions. n8n folds the list that an empty workflow does not need yet. */
async function unfold(page: Page): Promise<void> {
	await part(page, 'node-creator-category-item').first().waitFor();
	const folded = page.locator('[data-category-collapsed="true"]');
	while ((await folded.count()) > 0) {
		await part(folded.first(), 'node-creator-category-item').click();
	}
}
