import type { Family } from '../../../nodes/core';
import { takeRows } from '../../../test/harness/caseCount.mts';
import { createSandbox } from '../../../test/harness/sandbox.mts';
import { createEditingNode, type Edit } from '../support/editingNode.mts';
import { paid } from './payNode.mts';
import { buildScene } from './scenes.mts';

/**
 * Tests of a node whose answers about a payment are contradictory or incomplete. Finish must not rely on them, and must report the true
 * outcome.
 */

const sandbox = createSandbox({ chain: true });
const liar = createEditingNode(sandbox);

type Json = Record<string, unknown>;

/** Changes the answers to requests whose name matches. */
const editOf =
	(wanted: RegExp, change: (answer: Json) => Json): Edit =>
	(name, answer) =>
		wanted.test(name) ? change(answer) : answer;

const evm = (change: (receipt: Json) => Json) => editOf(/^eth_getTransactionReceipt$/, change);
const stark = (change: (receipt: Json) => Json) => editOf(/getTransactionReceipt$/, change);
const witness = (change: (info: Json) => Json) =>
	editOf(/gettransactioninfobyid/, (info) => (info.id === undefined ? info : change(info)));
/** Changes transactions on TON: those of the payer's wallet, or those of the jetton wallets, which other accounts trigger. */
const ton = (change: (transaction: Json) => Json, ofWallet = false) =>
	editOf(/transactionsByMessage/, (page) => ({
		...page,
		transactions: (page.transactions as Json[]).map((one) => {
			const isOfWallet = (one.in_msg as Json).source === null;
			return isOfWallet === ofWallet ? change(one) : one;
		}),
	}));

const changeLogs = (change: object) => (receipt: Json) => ({
	...receipt,
	logs: (receipt.logs as Json[]).map((log) => ({ ...log, ...change })),
});
const without = (key: string) => (answer: Json) =>
	Object.fromEntries(Object.entries(answer).filter(([name]) => name !== key));

const LIES: ReadonlyArray<readonly [Family, string, Edit]> = [
	['evm', 'a failed transaction has moved its tokens', evm((one) => ({ ...one, status: '0x0' }))],
	['evm', 'the logs are of another transaction', evm(changeLogs({ transactionHash: '0x12' }))],
	['evm', 'the logs are of a block that was replaced', evm(changeLogs({ removed: true }))],
	[
		'witness',
		'a failed transaction has moved its tokens',
		witness((one) => ({ ...one, result: 'FAILED' })),
	],
	['stark', 'there are no events', stark(without('events'))],
	['stark', 'it does not say of which transaction it is', stark(without('transaction_hash'))],
	[
		'stark',
		'a reverted transaction has moved its tokens',
		editOf(/getTransaction(Receipt|Status)$/, (one) => ({ ...one, execution_status: 'REVERTED' })),
	],
	[
		'stark',
		'the status says something else than the receipt',
		editOf(/getTransactionStatus$/, (one) => ({ ...one, execution_status: 'REVERTED' })),
	],
	['ton', 'the jetton wallet sent less than it made', ton((one) => ({ ...one, out_msgs: [] }))],
	['ton', 'what the phases did is missing', ton(without('description'))],
	[
		'ton',
		'the messages of the jetton wallet have no bodies',
		ton((one) => ({
			...one,
			out_msgs: (one.out_msgs as Json[]).map(without('message_content')),
		})),
	],
	[
		'ton',
		'the wallet sent to somebody else',
		ton((one) => {
			const [sent] = one.out_msgs as Json[];
			return { ...one, out_msgs: [{ ...sent, destination: one.account }] };
		}, true),
	],
];

test.each(takeRows(LIES, 4))('on %s, where %s, the outcome is unknown', async (chain, _, lie) => {
	const { token, to, rules, readBalance } = await buildScene(sandbox, chain);
	const before = await readBalance('token');
	liar.editBy(lie);
	const asked = { chain, token: token?.address ?? '', to, amount: '0.5', options: { guard: 0 } };
	const pay = { operation: 'pay', ...asked, waitFor: chain === 'witness' ? 5 : 1 };
	const [payment] = await paid(liar.seen, pay, { rules });
	expect(payment).toMatchObject({ status: 'unknown', signedTransaction: expect.any(String) });
	const { signedTransaction } = payment ?? {};
	const finish = { operation: 'finish', chain, signedTransaction: String(signedTransaction) };
	expect(await paid(sandbox, finish)).toMatchObject([{ status: 'confirmed', amount: '0.5' }]);
	expect(await readBalance('token')).toBe(before + 500_000n);
});

test('where a lie comes after the chain has decided, the item has the hash', async () => {
	const { token, to } = await buildScene(sandbox, 'evm');
	liar.editBy(evm(changeLogs({ removed: true })));
	const asked = { chain: 'evm', token: token?.address ?? '', to, amount: '0.5', waitFor: 1 };
	const [payment] = await paid(liar.seen, { operation: 'pay', ...asked });
	expect(payment).toMatchObject({
		transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
		reason: expect.stringMatching(/^The chain could not be read: .*logs of the transaction/),
	});
});

test('coins are paid where a node of the witness chain writes out that no contract gave a result', async () => {
	const { to } = await buildScene(sandbox, 'witness');
	liar.editBy(
		witness((one) => ({ ...one, receipt: { ...(one.receipt as Json), result: 'DEFAULT' } })),
	);
	const asked = { chain: 'witness', to, amount: '0.5', waitFor: 20, options: { guard: 0 } };
	expect(await paid(liar.seen, { operation: 'pay', ...asked })).toMatchObject([
		{ status: 'confirmed', reason: null },
	]);
});
