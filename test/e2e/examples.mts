import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples } from '../../demo/examples/examples.mts';
import { runExamples, type Result } from '../../demo/examples/run.mts';
import { isN8n1 } from '../../tools/paths.mjs';
import { isBasics, thorough } from './folder.mts';
import { control, demo } from './world.mts';

/** The examples that this n8n cannot run. Three need a chat model. n8n 1 also has no node that creates a data table. */
const LACKING = [
	'chain-assistant',
	'let-an-agent-pay',
	'review-what-an-agent-signs',
	...(isN8n1
		? [
				'an-address-for-each-order',
				'balances-every-morning',
				'keep-transfers',
				'pay-a-list',
				'pay-in-turn',
				'stablecoin-payments',
				'sweep-every-evening',
				'take-payments-on-any-chain',
				'tell-which-order-was-paid',
				'ton-pay-a-list',
				'ton-payments',
				'traces-to-table',
				'transfers-to-table',
			]
		: []),
];

const chosen = examples.filter(({ isFirst }) => isFirst || !isBasics);

describe('examples', () => {
	let results: Result[];

	it('are all imported, and run where they need nothing of the user', async () => {
		results = await runExamples(demo, chosen);
		assert.equal(results.length, chosen.length);
		const outcomes = chosen.map(({ file }) => (LACKING.includes(file) ? 'imported' : 'succeeded'));
		const failures = results.filter(({ outcome }) => outcome === 'failed');
		assert.deepEqual(failures, []);
		assert.deepEqual(
			results.map(({ outcome }) => outcome),
			outcomes,
		);
	});

	it('succeed a second time', thorough, async () => {
		const again = await runExamples(demo);
		assert.deepEqual(
			again.filter(({ outcome }) => outcome === 'failed'),
			[],
		);
	});

	it('leave nothing behind that listens', async () => {
		assert.equal((await control<{ open: number }>('GET', '/sockets')).open, 0);
	});
});
