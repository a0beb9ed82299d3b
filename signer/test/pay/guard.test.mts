import { makeMark } from '../../../nodes/core/chain/mark';
import type { MadePayments } from '../../../nodes/core/chain/ownPayment';
import { guardPayment } from '../../nodes/Pay/guard';
import type { PayingFamily, SignedTransaction } from '../../../nodes/core';
import type { PreparedRequest } from '../../nodes/core/prepared';
import { createShared } from '../../../nodes/core/net/pacing/shared';

const signed = { text: 'signed' } as SignedTransaction;
const compared = { to: '0x1', token: null, value: 5n, comment: null };

/** Runs Guard for a payment. Each time that Guard reads, the node gives the next answer; it repeats the last. */
function guard(...answers: ReadonlyArray<Partial<MadePayments>>) {
	return guardWith({ minutes: 10, paymentId: '', marked: [] }, answers);
}

interface Guarded {
	readonly minutes: number;
	readonly paymentId: string;
	/** The hashes of earlier payments that have the same payment ID. */
	readonly marked: readonly string[];
}

function guardWith(
	{ minutes, paymentId, marked }: Guarded,
	answers: ReadonlyArray<Partial<MadePayments>>,
) {
	const pauses: number[] = [];
	let reads = 0;
	const family = {
		readMade: async (_payer, _token, since) => {
			const answer = answers[Math.min(reads++, answers.length - 1)];
			return await Promise.resolve({ payments: [], since, ...answer });
		},
		findMarked: async (_payer, { hash }) =>
			await Promise.resolve(marked.includes(hash) ? signed : undefined),
	} as Partial<PayingFamily<PreparedRequest>> as PayingFamily<PreparedRequest>;
	const hints: string[] = [];
	const context = {
		shared: createShared(),
		addHint: (message: string) => hints.push(message),
		wait: async (milliseconds: number) => {
			pauses.push(milliseconds);
			await Promise.resolve();
		},
	};
	const mark = makeMark('evm', paymentId);
	const guarded = guardPayment({ family, payer: '0x2', minutes, mark, context }, { compared });
	return { guarded, hints, pauses };
}

test('what waits and is not shown is waited for', async () => {
	const { guarded, pauses } = guard({ hidesWaiting: true }, { hidesWaiting: true }, {});
	await guarded;
	expect(pauses).toHaveLength(2);
});

test('a payment that shows up meanwhile is refused', async () => {
	const made = { ...compared, hash: '0xabc', time: Date.now() };
	const { guarded } = guard({ hidesWaiting: true }, { payments: [made] });
	await expect(guarded).rejects.toMatchObject({ rule: 'guard' });
});

test('what never shows up is refused: the same payment may be among it', async () => {
	const { guarded } = guard({ hidesWaiting: true });
	await expect(guarded).rejects.toMatchObject({
		rule: 'guard',
		message: expect.stringContaining('does not show what they pay'),
	});
});

test('a node that knows less than the minutes is reported in a hint, and not refused', async () => {
	const { guarded, hints } = guard({ since: Date.now() - 3 * 60_000 });
	await guarded;
	expect(hints).toEqual([expect.stringContaining('for the last 3 minutes only')]);
});

test.each([
	['an empty comment is none', { comment: '' }, true],
	['another comment is another payment', { comment: 'June' }, false],
	['another amount is another payment', { value: 6n }, false],
	['another token is another payment', { token: '0x9' }, false],
])('%s', async (_, difference, isSame) => {
	const made = { ...compared, ...difference, hash: '0xabc', time: Date.now() };
	const { guarded } = guard({ payments: [made] });
	await (isSame ? expect(guarded).rejects.toMatchObject({ rule: 'guard' }) : guarded);
});

const byId = { minutes: 10, paymentId: 'invoice-42', marked: ['0xb'] };
const [first, second] = ['0xa', '0xb'].map((hash) => ({ ...compared, hash, time: Date.now() }));

test.each([10, 0])('with Guard on %s, a payment with the same ID is found', async (minutes) => {
	const { guarded } = guardWith({ ...byId, minutes }, [{ payments: [first!, second!] }]);
	expect(await guarded).toMatchObject({ signed, hash: '0xb' });
});

test('an equal payment with another ID is refused by Guard, and not found without it', async () => {
	const payments = [first!];
	await expect(guardWith(byId, [{ payments }]).guarded).rejects.toMatchObject({ rule: 'guard' });
	expect(await guardWith({ ...byId, minutes: 0 }, [{ payments }]).guarded).toBeUndefined();
});

test('without an ID, nothing is found that carries a mark', async () => {
	const { guarded } = guardWith({ ...byId, paymentId: '', minutes: 0 }, [{ payments: [second!] }]);
	expect(await guarded).toBeUndefined();
});

test('another payment with the same ID is not found', async () => {
	const payments = [{ ...second!, value: 6n }];
	expect(await guardWith(byId, [{ payments }]).guarded).toBeUndefined();
});
