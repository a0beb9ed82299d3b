import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { logs } from './logs.mts';

describe('before anything was made to fail', () => {
	it("nothing of ours is in n8n's log", async () => {
		const lines = (await logs()).split('\n');
		assert.ok(lines.length > 20);
		const bad = lines.filter((line) =>
			/n8n-nodes-chain-infra|NodeApiError|NodeOperation/.test(line),
		);
		assert.deepEqual(bad, []);
	});
});
