import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { line, ours, run } from '../e2e/workflows.mts';
import { control } from '../e2e/world.mts';

const CALLS_PER_SECOND = 25;
const READS = 300;
const SIDE_BY_SIDE = 2;

const read = () =>
	ours('evmRpc', 'token', { resource: 'block', operation: 'get', block: '={{ $json.block }}' });

/** The items ask for different blocks, because equal reads would be sent only once. */
const items = Array.from({ length: READS }, (_, index) => ({ block: String(index) }));

describe('a node that is limited', () => {
	before(async () => {
		const limit = { callsPerSecond: CALLS_PER_SECOND, as: 'rpc', room: 'node' };
		await control('PUT', '/limits', limit);
	});
	after(async () => await control('DELETE', '/limits'));

	it('refuses for good no call of two executions on two workers', async (t) => {
		const flow = { ...line(read()), items };
		const begin = Date.now();
		const executions = await Promise.all(
			Array.from({ length: SIDE_BY_SIDE }, async () => await run(flow)),
		);
		const seconds = (Date.now() - begin) / 1000;
		for (const { status } of executions) assert.equal(status, 'success');
		// The rate limit allows the first calls at once, so `CALLS_PER_SECOND` of the calls need no time.
		const ideal = (SIDE_BY_SIDE * READS - CALLS_PER_SECOND) / CALLS_PER_SECOND;
		t.diagnostic(
			`${SIDE_BY_SIDE} × ${READS} reads at ${CALLS_PER_SECOND} a second: ${seconds.toFixed(1)} s, ` +
				`${(seconds / ideal).toFixed(2)} times the ideal of ${ideal} s`,
		);
	});
});
