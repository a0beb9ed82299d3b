import { judgeArrival, sumArrival } from '../../../nodes/core/chain/arrival';

const payment = { token: 't', from: 'payer', to: 'shop', value: 100n };
const moved = (from: string, to: string, value: bigint, token = 't') => ({
	token,
	from,
	to,
	value,
});

test.each([
	['nothing', [], { arrived: 0n, left: 0n }],
	[
		'what the payer gave the receiver',
		[moved('payer', 'shop', 100n)],
		{ arrived: 100n, left: 100n },
	],
	[
		'in several parts',
		[moved('payer', 'shop', 60n), moved('payer', 'shop', 40n)],
		{ arrived: 100n, left: 100n },
	],
	[
		'without what somebody else gave',
		[moved('payer', 'shop', 90n), moved('else', 'shop', 5n), moved('payer', 'tax', 10n)],
		{ arrived: 90n, left: 100n },
	],
	[
		'by way of another account',
		[moved('payer', 'pool', 100n), moved('pool', 'shop', 97n)],
		{ arrived: 97n, left: 100n },
	],
	['nothing of what only others gave', [moved('else', 'shop', 100n)], { arrived: 0n, left: 0n }],
	['nothing of another token', [moved('payer', 'shop', 100n, 'u')], { arrived: 0n, left: 0n }],
])('what has arrived counts %s', (_, transfers, arrival) => {
	expect(sumArrival(payment, transfers)).toEqual(arrival);
});

const readFacts = async () => await Promise.resolve({ symbol: 'T', decimals: 1 });

test.each([
	[100n, 100n, 'confirmed', null],
	[110n, 110n, 'confirmed', null],
	[90n, 100n, 'confirmed', "Of 10, 9 arrived, by the token's own logs."],
	[0n, 100n, 'failed', expect.stringMatching(/nothing arrived: the token took 10 from the payer/)],
	[0n, 0n, 'failed', expect.stringMatching(/moved nothing from the payer to the receiver/)],
])('a payment of 100 of which %s arrive and %s leave is %s', async (...of) => {
	const [arrived, left, status, reason] = of;
	expect(await judgeArrival(100n, { arrived, left }, readFacts)).toEqual({ status, reason });
});

test('amounts of a token of which nothing is known are in its smallest unit', async () => {
	const judging = judgeArrival(100n, { arrived: 90n, left: 100n }, async () => undefined);
	expect(await judging).toMatchObject({
		reason: expect.stringMatching(/^Of 100 of the smallest unit, 90 of the smallest unit arrived/),
	});
});
