import type { INodeParameters } from 'n8n-workflow';
import { parseUnits } from 'viem';
import type { Family } from '../../../../nodes/core';
import type { Sandbox } from '../../../../test/harness/sandbox.mts';
import { TRIES_ALL } from '../../../../test/harness/caseCount.mts';
import { waitUntil } from '../../../../test/harness/until.mts';
import { paid, runPay } from '../payNode.mts';
import { ADDRESSES, buildScene, type PayScene } from '../scenes.mts';

/** Faults of the request that sends the payment. */
const FAULTS: Array<[name: string, effect: object]> = [
	['the answer is lost, and nothing was taken', { reset: 'before' }],
	['the answer is lost once it was taken', { reset: 'after' }],
	['the answer is late', { delay: 1500, when: 'after' }],
];

// The node handles this fault as a lost answer, so it is tested only in the long run of all cases.
if (TRIES_ALL) {
	const effect = { status: 502, body: 'Bad Gateway' };
	FAULTS.push(['a proxy says that there is a bad gateway', effect]);
}

/**
 * Defines the tests of one family. Each test waits until a transaction expires, so families have their own files, which run in parallel.
 */
export function testFaults(sandbox: Sandbox, chain: Family) {
	let scene: PayScene;
	beforeEach(async () => (scene = await buildScene(sandbox, chain)));

	const readPaid = async () => await scene.readBalance('token');
	const unitsOf = (amount: string) => parseUnits(amount, (scene.token ?? scene).decimals);

	/** Pays a token if the family has tokens, because the receiver of a token gets the whole amount and pays no fee for it. */
	const asked = (options: INodeParameters = { guard: 0 }) => ({
		operation: 'pay',
		chain,
		token: scene.token?.address ?? '',
		to: scene.to,
		amount: '1',
		options,
	});

	test.each(FAULTS)('where %s, it is paid once', async (_, effect) => {
		const before = await readPaid();
		await sandbox.fault({ sends: chain, do: effect });
		const [payment] = await paid(sandbox, asked(), { rules: scene.rules });
		expect(payment).toMatchObject({ status: 'confirmed' });
		expect((await readPaid()) - before).toBe(unitsOf('1'));
	});

	test('what nobody knows comes out with its signed transaction, and Finish pays it once', async () => {
		const before = await readPaid();
		// The chain has not taken the payment at this time, but it could still take it later.
		await sandbox.fault({ sends: chain, do: { status: 401, body: {} } });
		const [payment] = await paid(sandbox, { ...asked(), waitFor: 0 }, { rules: scene.rules });
		expect(payment).toMatchObject({
			status: 'unknown',
			reason: expect.stringContaining('Finish'),
			fee: null,
			blockNumber: null,
		});
		expect(await readPaid()).toBe(before);
		const finishing = { operation: 'finish', chain, signedTransaction: payment?.signedTransaction };
		for (let time = 0; time < 2; time++) {
			const [finished] = await paid(sandbox, finishing as INodeParameters);
			expect(finished).toMatchObject({ status: 'confirmed', to: payment?.to, amount: '1' });
			expect((await readPaid()) - before).toBe(unitsOf('1'));
		}
	});

	test('after Stop while it waits, Guard finds the payment', async () => {
		const before = await readPaid();
		await sandbox.fault({ sends: chain, do: { delay: 5000, when: 'after' } });
		const sent = async () => {
			await waitUntil(async () => (await readPaid()) > before);
		};
		const stopped = await runPay(sandbox, asked(), { rules: scene.rules, stopAfter: sent });
		expect(stopped.items).toHaveLength(0);
		const { error } = await runPay(sandbox, asked({}), { rules: scene.rules });
		expect(error?.message).toMatch(/^The same payment was made less than a minute ago/);
		expect((await readPaid()) - before).toBe(unitsOf('1'));
	});

	test('two executions of one account at once pay each payment at most once, and fail nowhere', async () => {
		const before = await readPaid();
		const both = ['0.25', '0.5'].map(
			async (amount) =>
				await paid(sandbox, { ...asked(), amount, waitFor: 30 }, { rules: scene.rules }),
		);
		const payments = (await Promise.all(both)).flat();
		const arrived = (await readPaid()) - before;
		const confirmed = payments.filter(({ status }) => status === 'confirmed');
		expect(payments.every(({ status }) => ['confirmed', 'failed'].includes(String(status)))).toBe(
			true,
		);
		expect(arrived).toBe(confirmed.reduce((sum, { value }) => sum + BigInt(String(value)), 0n));
	});

	test('an item that is forbidden leaves no gap before those behind it', async () => {
		const before = await readPaid();
		const receivers = [scene.to, ADDRESSES[chain], scene.to];
		const items = receivers.map((to, at) => ({ to, amount: `0.00${at + 1}` }));
		const rules = { ...scene.rules, recipients: scene.to };
		const payments = await paid(
			sandbox,
			{ ...asked(), to: '={{ $json.to }}', amount: '={{ $json.amount }}' },
			{ rules, items, onError: 'continueRegularOutput' },
		);
		expect(payments.map(({ status }) => status)).toEqual(['confirmed', undefined, 'confirmed']);
		expect((await readPaid()) - before).toBe(unitsOf('0.004'));
	});

	test('an item that is refused when it is sent is sent again before those that wait for it', async () => {
		const before = await readPaid();
		await sandbox.fault({ sends: chain, do: { status: 401, body: {} } });
		const items = ['0.001', '0.002', '0.003'].map((amount) => ({ amount }));
		const begun = Date.now();
		const payments = await paid(
			sandbox,
			{ ...asked(), amount: '={{ $json.amount }}', waitFor: 30 },
			{ rules: scene.rules, items },
		);
		expect(payments.map(({ status }) => status)).toEqual(['confirmed', 'confirmed', 'confirmed']);
		expect((await readPaid()) - before).toBe(unitsOf('0.006'));
		expect(Date.now() - begun).toBeLessThan(30_000);
	});

	test('Finish takes the whole item, too', async () => {
		const [payment] = await paid(sandbox, asked(), { rules: scene.rules });
		const finishing = { operation: 'finish', chain, signedTransaction: '={{ $json }}' };
		const [finished] = await paid(sandbox, finishing, { items: [payment ?? {}] });
		expect(finished).toMatchObject({ status: 'confirmed' });
	});

	test('Finish refuses an item that says something else than what was signed', async () => {
		const [payment = {}] = await paid(sandbox, asked(), { rules: scene.rules });
		const finishing = { operation: 'finish', chain, signedTransaction: '={{ $json }}' };
		const others = { to: payment.from, from: payment.to, value: '1', amount: '7', token: scene.to };
		for (const [field, said] of Object.entries(others)) {
			const { error } = await runPay(sandbox, finishing, {
				items: [{ ...payment, [field]: said as string }],
			});
			expect(error?.message).toContain(`'${field}' is ${JSON.stringify(said)} in the item, but`);
		}
	});
}
