import { PollContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { createFakeWorld } from '../support/world.mts';

/**
 * These tests check what happens to a trigger's stored value after a restart of n8n, an activation, an edit or a
 * database failure.
 */

const { node, workflow } = createFakeWorld();
const WATCHED = `0x${'7a'.repeat(20)}`;
const ETHER = 10n ** 18n;

/** Sets the balance to a number of tenths of a coin, and mines a block. */
function hold(tenths: number): void {
	node.setAnswers({ eth_getBalance: () => `0x${((BigInt(tenths) * ETHER) / 10n).toString(16)}` });
	node.mine();
}

const LINE: INodeParameters = {
	event: 'value',
	address: WATCHED,
	threshold: '1',
	rearmAt: '2',
	options: { maxRetries: 0 },
};

type Life = ReturnType<typeof workflow>;

/** Polls, and returns the value of each item with the value that was read before it. */
const poll = async (life: Life) => {
	const { items, error } = await life.poll();
	expect(error).toBeUndefined();
	return items.map(({ value, previous }) => [value, previous]);
};

const activate = async (life: Life) => {
	const { items, error } = await life.activate();
	expect(error).toBeUndefined();
	return items.map(({ value, previous }) => [value, previous]);
};

/** Continues a workflow after it was deactivated or edited: n8n then stores the state that it has in memory. */
const continued = (life: Life, parameters = LINE) =>
	workflow(parameters, { saved: life.inMemory() });
/** Starts a workflow again after a kill of n8n, with the state that n8n stored at the last start or activation. */
const restarted = (life: Life, parameters = LINE) => workflow(parameters, { saved: life.saved() });

test('a value beyond the line when the workflow is activated starts it once', async () => {
	hold(5);
	const life = workflow(LINE);
	expect(await activate(life)).toEqual([['0.5', null]]);
	hold(4);
	expect(await poll(life)).toEqual([]);
	hold(19);
	expect(await poll(life)).toEqual([]);
	hold(4);
	expect(await poll(life)).toEqual([]);
	hold(20);
	expect(await poll(life)).toEqual([]);
	hold(10);
	expect(await poll(life)).toEqual([]);
	hold(9);
	expect(await poll(life)).toEqual([['0.9', '1']]);
});

test('off and on: it goes on where it stopped', async () => {
	hold(5);
	const first = workflow(LINE);
	expect(await activate(first)).toHaveLength(1);
	hold(6);
	const second = continued(first);
	expect(await activate(second)).toEqual([]);
	hold(30);
	expect(await poll(second)).toEqual([]);
	const third = continued(second);
	hold(3);
	expect(await activate(third)).toEqual([['0.3', '3']]);
});

test.each<[string, INodeParameters]>([
	['the threshold', { threshold: '1.5' }],
	['the comparison', { compare: 'risesAbove', threshold: '0.1', rearmAt: '' }],
	['the rearming', { rearmAt: '3' }],
	['what is watched', { address: `0x${'7b'.repeat(20)}` }],
])('a change of %s begins anew', async (_what, change) => {
	hold(5);
	const first = workflow(LINE);
	expect(await activate(first)).toHaveLength(1);
	hold(6);
	expect(await activate(continued(first, { ...LINE, ...change }))).toEqual([['0.6', null]]);
});

test.each<[string, INodeParameters]>([
	['the threshold', { threshold: '1.000' }],
	['the rearming', { rearmAt: ' 2.0 ' }],
	['the address', { address: WATCHED.toUpperCase().replace('0X', '0x') }],
	['confirmations', { options: { maxRetries: 0, confirmations: 1 } }],
])('%s, written otherwise or added, changes nothing', async (_what, change) => {
	hold(5);
	const first = workflow(LINE);
	expect(await activate(first)).toHaveLength(1);
	hold(6);
	hold(6);
	expect(await activate(continued(first, { ...LINE, ...change }))).toEqual([]);
});

test('a change by begins anew with the value that it then reads', async () => {
	const byOne = { ...LINE, compare: 'changesBy', threshold: '1' };
	hold(50);
	const first = workflow(byOne);
	expect(await activate(first)).toEqual([]);
	hold(41);
	expect(await poll(first)).toEqual([]);
	hold(40);
	expect(await poll(first)).toEqual([['4', '5']]);
	hold(49);
	const second = continued(first, { ...byOne, threshold: '2' });
	expect(await activate(second)).toEqual([]);
	hold(68);
	expect(await poll(second)).toEqual([]);
	hold(69);
	expect(await poll(second)).toEqual([['6.9', '4.9']]);
});

describe('after a kill', () => {
	test('nothing is told twice', async () => {
		hold(30);
		const first = workflow(LINE);
		await activate(first);
		hold(5);
		expect(await poll(first)).toEqual([['0.5', '3']]);
		hold(4);
		const second = restarted(first);
		expect(await activate(second)).toEqual([]);
	});

	test('a start that n8n had read and not yet stored is made after the restart', async () => {
		hold(30);
		const first = workflow(LINE);
		await activate(first);
		const stored = first.saved();
		hold(5);
		expect(await poll(first)).toEqual([['0.5', '3']]);
		expect(first.saved()).not.toBe(stored);
		const second = workflow(LINE, { saved: stored });
		expect(await activate(second)).toEqual([['0.5', '3']]);
		expect(await poll(second)).toEqual([]);
	});

	test('a rearming that no execution stored is forgotten', async () => {
		hold(5);
		const first = workflow(LINE);
		expect(await activate(first)).toHaveLength(1);
		hold(30);
		expect(await poll(first)).toEqual([]);
		hold(5);
		const second = restarted(first);
		expect(await activate(second)).toEqual([]);
		hold(30);
		expect(await poll(second)).toEqual([]);
		hold(5);
		expect(await poll(second)).toEqual([['0.5', '3']]);
	});
});

test('a start that n8n cannot store is made by the next poll', async () => {
	hold(30);
	const life = workflow(LINE);
	await activate(life);
	hold(5);
	const before = life.inMemory();
	const originalRead = PollContext.prototype.getCredentials;
	const reads = jest.spyOn(PollContext.prototype, 'getCredentials');
	let asked = 0;
	// The first read of the credentials is for the connection, and the second read is for the start of the execution.
	reads.mockImplementation(async function (this: PollContext, ...given) {
		if (++asked > 1) throw new Error('The database is away');
		return await originalRead.apply(this, given);
	});
	const { items, error } = await life.poll();
	expect(items).toEqual([]);
	expect(error).toBeDefined();
	expect(life.inMemory()).toBe(before);
	expect(asked).toBe(2);
	reads.mockRestore();
	expect(await poll(life)).toEqual([['0.5', '3']]);
});

test('what an imported workflow brings counts only where it is whole', async () => {
	hold(5);
	const first = workflow(LINE);
	expect(await activate(first)).toHaveLength(1);
	const whole = JSON.parse(first.inMemory()) as Record<string, { saved: object }>;
	const [name = ''] = Object.keys(whole);
	const saved = whole[name]?.saved ?? {};
	for (const broken of [
		{ isArmed: 'no' },
		{ compared: { value: 'much', blockNumber: 1 } },
		{ compared: 7 },
		{ last: { height: '1' } },
		{ chain: null },
		{ watched: 5 },
	]) {
		const stored = JSON.stringify({ [name]: { saved: { ...saved, ...broken } } });
		expect(await activate(workflow(LINE, { saved: stored }))).toEqual([['0.5', null]]);
	}
	const stored = JSON.stringify({ [name]: { saved } });
	expect(await activate(workflow(LINE, { saved: stored }))).toEqual([]);
});
