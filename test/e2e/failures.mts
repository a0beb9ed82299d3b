import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import {
	errorOf,
	line,
	node,
	ours,
	outputs,
	people,
	run,
	set,
	START,
	TESTED,
	to,
	type Node,
} from './workflows.mts';
import { control, type Seen } from './world.mts';

const BALANCE = { resource: 'account', operation: 'getBalance', address: '={{ $json.address }}' };

/** Returns two bad items between good ones. The error of the second bad item has details. */
function mixed() {
	const { owner, other } = people();
	return [owner, { name: 'bad', address: '0x12' }, { name: 'empty', address: '' }, other];
}

describe('on error', () => {
	it('the error branch carries the failed items with what came in', async () => {
		const tested = ours('evmRpc', 'basicAuth', BALANCE, { onError: 'continueErrorOutput' });
		const named = (name: string) => set(name, { name: `={{ $('${START}').item.json.name }}` });
		const { nodes } = line(tested, named('Good'), named('Bad'));
		const connections = { [START]: to(TESTED), [TESTED]: to('Good', 'Bad') };
		const execution = await run({ nodes, connections, items: mixed() });
		assert.equal(execution.status, 'success');
		const names = (name: string) => outputs(execution, name)[0]?.map(({ json }) => json.name);
		assert.deepEqual(
			[names('Good'), names('Bad')],
			[
				['owner', 'other'],
				['bad', 'empty'],
			],
		);
		const [failed, empty] = outputs(execution)[1] ?? [];
		assert.match(String(failed?.json.error), /^'Address' must be/);
		assert.deepEqual([failed?.json.name, failed?.json.address], ['bad', '0x12']);
		assert.match(String(empty?.json.message), /^Enter a value/);
	});

	it('the node stops at a bad item, and names it', async () => {
		const flow = line(ours('evmRpc', 'token', BALANCE));
		const execution = await run({ ...flow, items: mixed() });
		assert.equal(execution.status, 'error');
		assert.match(errorOf(execution).message, /^'Address' must be/);
		assert.match(JSON.stringify(execution.data.resultData.error), /"itemIndex":1/);
	});

	it('a node without a credential says so', async () => {
		const { type, parameters } = ours('evmRpc', 'token', BALANCE);
		const execution = await run(line(node(TESTED, type, parameters)));
		assert.match(errorOf(execution).message, /credential/i);
	});
});

/** A read without retries. */
function read(settings: object): Node {
	const parameters = { resource: 'fee', operation: 'getMaxPriority', options: { maxRetries: 0 } };
	return ours('evmRpc', 'token', parameters, settings);
}

describe('Retry On Fail', () => {
	afterEach(async () => await control('DELETE', '/faults'));

	it('repeats a read that failed', async () => {
		await control('POST', '/faults', { room: 'node', times: 2, do: { status: 500 } });
		await control('DELETE', '/record');
		const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
		const execution = await run(line(read(retrying)));
		assert.equal(execution.status, 'success');
		const seen = await control<Seen[]>('GET', '/record');
		assert.deepEqual(
			seen.map(({ status }) => status),
			[500, 500, 200],
		);
	});

	it('without it the first failure ends the node', async () => {
		await control('POST', '/faults', { room: 'node', times: 1, do: { status: 500 } });
		const execution = await run(line(read({})));
		assert.equal(execution.status, 'error');
		assert.match(errorOf(execution).message, /500|service/i);
	});
});
