import fc from 'fast-check';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { readMadePayments } from '../../../nodes/core/witness/madePayments';
import {
	account,
	call,
	transactionId,
	transfer,
	transferLog,
	WitnessChain,
	type MinedTransaction,
} from '../../harness/witnessChain.mts';
import { createWitnessReader } from '../support/witnessReader.mts';
import { getSeed } from '../../harness/caseCount.mts';

const hexOf = (name: string) => `41${account(name)}`;
const TIME_OF_BLOCK = (number: number) => 1_700_000_000_000 + number * 3000;
const word = (hex: string) => hex.padStart(64, '0');

const read = async (chain: WitnessChain, since: number, fail?: (path: string) => void) =>
	await readMadePayments(createWitnessReader(chain, fail), hexOf('payer'), {
		since,
		tokens: [hexOf('token')],
	});

function tokens(to: string, value: number, token = 'token', from = 'payer'): MinedTransaction {
	const { contract } = call(from, token);
	const data = `a9059cbb${word(account(to))}${word(value.toString(16))}`;
	const logs = [transferLog(token, from, to, value)];
	return { contract: { ...contract, value: { ...contract.value, data } }, logs };
}

/** Adds answers of the node's other methods, such as waiting transactions and accounts, to a chain. */
function withAnswers(
	chain: WitnessChain,
	answers: Readonly<Record<string, unknown>>,
): WitnessChain {
	chain.change = (answer, method) => (method in answers ? answers[method] : answer);
	return chain;
}

test.each(['with', 'without'])(
	'of random transactions, exactly the payments in the window are found, %s lists of blocks',
	async (lists) => {
		const kinds: ReadonlyArray<(value: number) => MinedTransaction> = [
			(value) => transfer('payer', 'shop', value),
			(value) => ({ ...transfer('payer', 'shop', value), memo: 'order 7' }),
			(value) => tokens('shop', value),
			(value) => ({ ...transfer('payer', 'shop', value), hasFailed: true }),
			(value) => ({ ...tokens('shop', value), hasFailed: true }),
			(value) => tokens('shop', value, 'another token'),
			(value) => tokens('shop', value, 'token', 'somebody'),
			(value) => transfer('somebody', 'payer', value),
		];
		const to = hexOf('shop');
		const paid = (kind: number, value: number) =>
			[
				{ to, token: null, comment: null },
				{ to, token: null, comment: 'order 7' },
				{ to, token: hexOf('token'), comment: null },
			].map((one) => ({ ...one, value: BigInt(value) }))[kind];
		const blocks = fc.array(
			fc.array(fc.tuple(fc.nat(kinds.length - 1), fc.integer({ min: 1, max: 9 })), {
				maxLength: 2,
			}),
			{ maxLength: 130 },
		);
		const property = fc.asyncProperty(blocks, fc.nat(400_000), async (list, ago) => {
			const chain = new WitnessChain();
			if (lists === 'without') chain.hideLists();
			const made = list.flatMap((transactions) => {
				const number = chain.head + 1;
				chain.mine(...transactions.map(([kind, value]) => kinds[kind]?.(value) ?? {}));
				return transactions.flatMap(([kind, value], at) => {
					const one = paid(kind, value);
					const place = { hash: transactionId(number, at), time: TIME_OF_BLOCK(number) };
					return one ? [{ ...one, ...place }] : [];
				});
			});
			const since = TIME_OF_BLOCK(chain.head) - ago;
			const found = await read(chain, since);
			expect(found.since).toBe(since);
			const key = (one: { hash: string }) => one.hash;
			expect([...found.payments].sort((a, b) => (key(a) < key(b) ? -1 : 1))).toEqual(
				made.filter(({ time }) => time >= since).sort((a, b) => (key(a) < key(b) ? -1 : 1)),
			);
		});
		await fc.assert(property, { seed: getSeed(20261127), numRuns: 30 });
	},
);

test('what waits is found, and counts once when a block has it', async () => {
	const waiting = new WitnessChain();
	waiting.mine(transfer('payer', 'shop', 5));
	const [json] = waiting.block(waiting.head).transactions as object[];
	const chain = withAnswers(new WitnessChain(), {
		gettransactionlistfrompending: { txId: [transactionId(2, 0)] },
		gettransactionfrompending: json,
	});
	const since = TIME_OF_BLOCK(0);
	const found = { to: hexOf('shop'), token: null, value: 5n, comment: null };
	expect((await read(chain, since)).payments).toMatchObject([found]);
	chain.mine(transfer('payer', 'shop', 5));
	expect((await read(chain, since)).payments).toMatchObject([{ ...found, time: TIME_OF_BLOCK(2) }]);
});

test('a token that refused without failing was not paid', async () => {
	const log = (token: string, from: string) => ({ log: [transferLog(token, from, 'shop', 5)] });
	const chain = new WitnessChain();
	chain.mine(tokens('shop', 5));
	for (const [info, count] of [
		[log('token', 'payer'), 1],
		[{}, 1],
		[{ id: transactionId(2, 0), receipt: {} }, 0],
		[log('token', 'somebody'), 0],
		[log('another token', 'payer'), 0],
	] as const) {
		withAnswers(chain, { gettransactioninfobyid: info });
		expect((await read(chain, 0)).payments).toHaveLength(count);
	}
});

test('the blocks of an account that did nothing are not read', async () => {
	const chain = new WitnessChain();
	chain.mineEmpty(50);
	const since = TIME_OF_BLOCK(20);
	const settings = [
		[{ address: hexOf('payer'), latest_opration_time: since - 300_001 }, false],
		[{ address: hexOf('payer'), latest_opration_time: since - 1 }, true],
		[{ address: hexOf('payer') }, true],
		[{}, true],
	] as const;
	for (const [getaccount, isRead] of settings) {
		withAnswers(chain, { getaccount });
		chain.asked.length = 0;
		expect(await read(chain, since)).toEqual({ payments: [], since });
		expect(chain.asked.includes('wallet/getblockbylimitnext')).toBe(isRead);
	}
});

test('a long time ago is read in part, with the time of its beginning', async () => {
	const chain = new WitnessChain();
	for (let left = 1000; left > 0; left--) chain.mine(transfer('payer', 'shop', 1));
	const found = await read(chain, 0);
	expect(chain.asked.length).toBeLessThan(40);
	expect(found.payments.length).toBeGreaterThanOrEqual(400);
	expect(Math.min(...found.payments.map(({ time }) => time))).toBe(found.since);
});

test('of blocks that a node no longer gives, the later ones are known', async () => {
	const chain = new WitnessChain();
	for (let left = 100; left > 0; left--) chain.mine(transfer('payer', 'shop', 1));
	chain.change = (answer, method, { num, startNum }) =>
		/^getblockby/.test(method) && Number(num ?? startNum) < 60
			? { Error: 'this API is closed because this node is a lite fullnode' }
			: answer;
	const found = await read(chain, 0);
	expect(found.since).toBe(TIME_OF_BLOCK(60));
	expect(found.payments).toHaveLength(42);
});

test.each([60, 57, 99])(
	'of a node that has only the blocks from %i on, these are known',
	async (first) => {
		const chain = new WitnessChain();
		for (let left = 100; left > 0; left--) chain.mine(transfer('payer', 'shop', 1));
		chain.change = (answer, method, { num, startNum }) =>
			/^getblockby/.test(method) && Number(num ?? startNum) < first ? {} : answer;
		const found = await read(chain, 0);
		const head = chain.head;
		expect(found.since).toBe(TIME_OF_BLOCK(first));
		expect(found.payments).toHaveLength(head - first + 1);
	},
);

test.each<[string, (chain: WitnessChain) => void, RegExp]>([
	['has no head', (chain) => withAnswers(chain, { getnowblock: {} }), /its newest block/],
	[
		'is at another block than its head',
		(chain) => (chain.missing = () => (chain.asked.at(-1)?.endsWith('getnowblock') ? 0 : 3)),
		/does not have block/,
	],
	[
		'lists what is no transaction',
		(chain) => withAnswers(chain, { gettransactionlistfrompending: { txId: [7] } }),
		/the transactions that wait/,
	],
	[
		'has a wrong time',
		(chain) => withAnswers(chain, { getaccount: { latest_opration_time: -1 } }),
		/latest_opration_time/,
	],
])('a node that %s is a failure', async (_, change, message) => {
	const chain = new WitnessChain();
	chain.mineEmpty(50);
	change(chain);
	await expect(read(chain, 0)).rejects.toThrow(message);
});

test('a node that cannot be reached is a failure', async () => {
	const chain = new WitnessChain();
	const fail = () => {
		throw new RequestFailure('lost', { retry: { because: 'lost' } });
	};
	await expect(read(chain, 0, fail)).rejects.toThrow(/^lost$/);
});
