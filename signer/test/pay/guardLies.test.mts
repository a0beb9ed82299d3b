import { parseUnits } from 'viem';
import type { Family } from '../../../nodes/core';
import { takeRows } from '../../../test/harness/caseCount.mts';
import { createSandbox } from '../../../test/harness/sandbox.mts';
import { createEditingNode, type Edit } from '../support/editingNode.mts';
import { runPay } from './payNode.mts';
import { buildScene, type PayScene } from './scenes.mts';

/**
 * Tests of a node that lies about the account's earlier payments. The worst result is a second payment, if it hides the first. Otherwise
 * nothing is paid, and the item agrees with the chain.
 */

const sandbox = createSandbox();
const liar = createEditingNode(sandbox);

type Json = Record<string, unknown>;
type Change = (answer: Json) => Json;

const editOf =
	(wanted: RegExp, change: Change): Edit =>
	(name, answer) =>
		wanted.test(name) ? change(answer) : answer;
const without =
	(key: string): Change =>
	(answer) =>
		Object.fromEntries(Object.entries(answer).filter(([name]) => name !== key));
const editList = (wanted: RegExp, key: string) => (change: (all: Json[]) => Json[]) =>
	editOf(wanted, (page) => ({ ...page, [key]: change(page[key] as Json[]) }));

const events = editList(/getEvents$/, 'events');
const eachEvent = (change: Change) => events((all) => all.map(change));
const blocks = (change: object) => editOf(/getBlockWith/, (block) => ({ ...block, ...change }));
const transactions = editList(/\/transactions\?/, 'transactions');
const eachTransaction = (change: Change) => transactions((all) => all.map(change));
const eachSent = (change: Change) =>
	eachTransaction((one) => ({ ...one, out_msgs: (one.out_msgs as Json[]).map(change) }));

const LONG_AGO = 1_767_225_600;
const SAME = /^The same payment was made/;
/** Stands for no error message: the same amount is paid a second time. */
const PAID_AGAIN = null;

const LIES: ReadonlyArray<readonly [Family, string, Edit, RegExp | null]> = [
	['stark', 'hides the events', events(() => []), PAID_AGAIN],
	[
		'stark',
		'shows another amount',
		eachEvent((one) => ({ ...one, data: ['0x7', '0x0'] })),
		PAID_AGAIN,
	],
	['stark', 'has old blocks alone', blocks({ timestamp: LONG_AGO }), PAID_AGAIN],
	['stark', 'names no block', eachEvent(without('block_number')), PAID_AGAIN],
	['stark', 'names no transaction', eachEvent(without('transaction_hash')), /did not answer/],
	[
		'stark',
		'names another contract',
		eachEvent((one) => ({ ...one, from_address: '0x7' })),
		/contract that was asked for/,
	],
	[
		'stark',
		'names a block to come',
		eachEvent((one) => ({ ...one, block_number: 99_999 })),
		/blocks that were asked for/,
	],
	['stark', 'has no events', editOf(/getEvents$/, without('events')), /did not answer/],
	['stark', 'shows the events twice', events((all) => [...all, ...all]), SAME],
	['ton', 'shows another amount', eachSent((one) => ({ ...one, value: '7' })), PAID_AGAIN],
	[
		'ton',
		'shows another receiver',
		eachSent((one) => ({ ...one, destination: one.source })),
		PAID_AGAIN,
	],
	['ton', 'says that it came back', eachSent((one) => ({ ...one, bounced: true })), PAID_AGAIN],
	['ton', 'gives an old time', eachTransaction((one) => ({ ...one, now: LONG_AGO })), PAID_AGAIN],
	['ton', 'hides the transactions', transactions(() => []), /does not list the last transaction/],
	['ton', 'has no messages', eachTransaction(without('out_msgs')), /did not answer/],
	[
		'ton',
		'lists those of another account',
		eachTransaction((one) => ({ ...one, account: `0:${'7'.repeat(64)}` })),
		/did not answer/,
	],
	['ton', 'shows the transactions twice', transactions((all) => [...all, ...all]), SAME],
];

const AMOUNT = '0.125';

/** Pays the receiver of the scene. Returns the item or error, and the amount that arrived on the chain. */
async function pay(
	scene: PayScene,
	given: { readonly amount?: string; readonly paymentId?: string; readonly guard: number },
	node = sandbox,
) {
	const { guard, amount = AMOUNT, paymentId = '' } = given;
	const { chain, to, rules } = scene;
	const before = await scene.readBalance();
	const { items, error } = await runPay(
		node,
		{ operation: 'pay', chain, to, amount, paymentId, waitFor: 30, options: { guard } },
		{ rules },
	);
	const arrived = (await scene.readBalance()) - before;
	return { item: items[0]?.json, message: error?.message, arrived };
}

/** Whether the amount arrived, except for a fee: on TON, the receiver's wallet pays for a message that it gets. */
const isAbout = (arrived: bigint, amount: string, { decimals }: PayScene) => {
	const wanted = parseUnits(amount, decimals);
	return arrived <= wanted && arrived > (wanted * 9n) / 10n;
};

test.each(takeRows(LIES, 3))('on %s, a node that %s', async (chain, _, lie, refusal) => {
	const scene = await buildScene(sandbox, chain);
	await pay(scene, { guard: 0 });
	liar.editBy(lie);
	const { item, message, arrived } = await pay(scene, { guard: 10 }, liar.seen);
	if (refusal) {
		expect(message).toMatch(refusal);
		expect(arrived).toBe(0n);
	} else {
		expect(item).toMatchObject({ status: 'confirmed', amount: AMOUNT });
		expect(isAbout(arrived, AMOUNT, scene)).toBe(true);
	}
});

/** Earlier payments of another amount. The lying node shows them with the amount that is to be paid now. */
const INVENTED: ReadonlyArray<readonly [Family, string, Edit]> = [
	[
		'stark',
		'0.25',
		eachEvent((one) => ({ ...one, data: [`0x${parseUnits(AMOUNT, 18).toString(16)}`, '0x0'] })),
	],
	['ton', '0.25', eachSent((one) => ({ ...one, value: String(parseUnits(AMOUNT, 9)) }))],
];

test.each(INVENTED)(
	'on %s, a payment of %s coins that is shown as another one is not told as that one',
	async (chain, amount, lie) => {
		const scene = await buildScene(sandbox, chain);
		const paymentId = 'invoice-42';
		await pay(scene, { amount, paymentId, guard: 0 });
		liar.editBy(lie);
		const guarded = await pay(scene, { paymentId, guard: 10 }, liar.seen);
		expect(guarded).toMatchObject({ message: expect.stringMatching(SAME), arrived: 0n });
		const { item, arrived } = await pay(scene, { paymentId, guard: 0 }, liar.seen);
		expect(item).toMatchObject({ status: 'confirmed', amount: AMOUNT });
		expect(isAbout(arrived, AMOUNT, scene)).toBe(true);
	},
);
