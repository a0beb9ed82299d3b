import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { part, picture, THEMES, visit } from './browser.mts';
import { item, openPanel, search } from './panel.mts';

/** n8n leaves out the word Trigger, and shows a node and its trigger as one. */
const ALL = [
	'Chain Activity',
	'Chain EVM RPC',
	'Chain Faucet',
	'Chain IPFS Pin',
	'Chain L2 Simulate',
	'Chain Platform',
	'Chain Signer',
	'Chain TON Fee',
	'Chain Trace',
	'Chain Witness Wallet',
	'Chain gRPC',
];

/** What someone may search for, and the node that must come first. */
const WORDS = {
	IPFS: 'Chain IPFS Pin',
	faucet: 'Chain Faucet',
	TRON: 'Chain Witness Wallet',
	Starknet: 'Chain L2 Simulate',
	TON: 'Chain TON Fee',
};

describe('the node panel', () => {
	for (const theme of THEMES) {
		it(`finds our nodes, ${theme}`, async () => {
			await visit(theme, '/workflow/new', async (page) => {
				await openPanel(page);
				await search(page, 'chain');
				for (const name of ALL) await item(page, name).waitFor();
				await picture(page, `search-chain-${theme}`);
				for (const [word, name] of theme === 'light' ? Object.entries(WORDS) : []) {
					await search(page, word);
					await item(page, name).waitFor();
					await picture(page, `search-${word}`);
					const names = await part(page, 'node-creator-item-name').allTextContents();
					assert.equal(names[0]?.trim(), name, `${word}: ${names.join(', ')}`);
				}
			});
		});
	}
});
