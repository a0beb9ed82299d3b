import { estimate } from '../../../nodes/TonFee/estimate';
import {
	failureOf,
	FakeTon,
	jettonWalletRow,
	masterRow,
	rawOf,
	runTon,
	upperRaw,
	WALLETS,
	walletState,
} from '../support/tonService.mts';
import { addressOfCell } from '../support/tonCells.mts';

const MASTER = rawOf('d');
const from = WALLETS.v4r2.address.toString();
const payment = { messageBy: 'payment', from, to: rawOf('e'), amount: '1.5' };

function createTon(): FakeTon {
	const ton = new FakeTon();
	const own = walletState('v4r2');
	ton.accounts.push(own);
	ton.masters.push(masterRow(MASTER));
	const wallet = upperRaw(addressOfCell(1));
	ton.jettonWallets.push(jettonWalletRow(wallet, own.address, MASTER, '30000000'));
	return ton;
}

test('a message by its body is asked for as it always was', async () => {
	const ton = createTon();
	const [found] = await runTon(estimate, { address: from, body: 'te6cckEBAQEAAgAAAEysuc0=' }, ton);
	expect(ton.asked).toEqual([
		{
			method: 'estimateFee',
			query: {},
			body: { address: from, body: 'te6cckEBAQEAAgAAAEysuc0=', ignore_chksig: false },
		},
	]);
	expect(found).toMatchObject({ source_fees: { total: '2900000', totalCoins: '0.0029' } });
	expect(found).not.toHaveProperty('totalCoins');
});

test.each([{}, { jetton: MASTER, amount: '25.5' }])(
	'a payment %j has a fee before anything is signed',
	async (more) => {
		const ton = createTon();
		const [found] = await runTon(estimate, { ...payment, ...more }, ton);
		expect(found).toMatchObject({
			source_fees: { totalCoins: '0.0029' },
			destination_fees: [{ total: '100000' }],
			totalCoins: '0.003',
		});
		expect(ton.asked.at(-1)?.body).toMatchObject({ ignore_chksig: true });
	},
);

test.each([
	[{ from: rawOf('9') }, /is not deployed yet, and so its fee can not be estimated/],
	[{ jetton: rawOf('c') }, /^There is no jetton at EQ/],
	[{ amount: '-1' }, /^'Amount' must be an amount of 0 or more/],
	[{ amount: '0.0000000001' }, /^'Amount' must be an amount with at most 9 decimals/],
	[{ to: 'x' }, /^'To' must be an address/],
])('a payment with %j is refused', async (wrong, words) => {
	expect(await failureOf(runTon(estimate, { ...payment, ...wrong }, createTon()))).toMatch(words);
});
