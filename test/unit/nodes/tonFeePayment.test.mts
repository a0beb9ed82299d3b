import { Address, fromNano, internal, type MessageRelaxed } from '@ton/core';
import { estimate } from '../../../nodes/TonFee/estimate';
import {
	buildJettonTransfer,
	getJettonWalletAddress,
} from '../../../sandbox/apis/ton/contracts.mts';
import { alice, bob } from '../../../sandbox/apis/ton/keys.mts';
import { collection, seedJetton } from '../../../sandbox/apis/ton/seed.mts';
import { freezeTime, sign, TonIndex } from '../support/tonChain.mts';
import { failureOf, rawOf, runTon } from '../support/tonService.mts';

const WALLET = alice.v4r2.address;
const PAYEE = Address.parse(rawOf('e'));
const from = WALLET.toString();
const payment = { messageBy: 'payment', from, to: PAYEE.toRawString(), amount: '1.5' };
const jetton = seedJetton.toRawString();

freezeTime();

/** Sends a transfer, and returns the coins that the wallet lost, without the coins that the receiver gets. */
async function charge({ info, ...message }: MessageRelaxed): Promise<bigint> {
	const ledger = await new TonIndex().ledger();
	const count = () => ledger.getAccount(WALLET.toRawString())?.account?.storage.balance.coins ?? 0n;
	const before = count();
	const { cell } = await sign('v4r2', { seqno: 1, messages: [{ info, ...message }] });
	await ledger.send(cell, { hold: true });
	await ledger.step(1);
	return before - count() - (info.type === 'internal' ? info.value.coins : 0n);
}

test('a message by its body is asked for as it always was', async () => {
	const ton = new TonIndex();
	const message = internal({ to: PAYEE, value: 1n, bounce: false });
	const body = (await sign('v4r2', { seqno: 1, messages: [message] })).body
		.toBoc()
		.toString('base64');
	const [found] = await runTon(estimate, { address: from, body }, ton);
	expect(ton.asked).toEqual([
		{ method: 'estimateFee', query: {}, body: { address: from, body, ignore_chksig: false } },
	]);
	const fee = await charge(message);
	expect(found).toMatchObject({ source_fees: { total: String(fee), totalCoins: fromNano(fee) } });
	expect(found).not.toHaveProperty('totalCoins');
});

test.each([
	['of coins', {}, internal({ to: PAYEE, value: '1.5', bounce: false })],
	[
		'of jettons',
		{ jetton, amount: '25.5' },
		internal({
			to: getJettonWalletAddress(seedJetton, WALLET),
			value: '0.05',
			body: buildJettonTransfer({
				amount: 25_500_000n,
				to: PAYEE,
				response: WALLET,
				forward: 1n,
				payload: null,
			}),
		}),
	],
])('a payment %s has a fee before anything is signed', async (_, more, message) => {
	const ton = new TonIndex();
	const [found] = await runTon(estimate, { ...payment, ...more }, ton);
	const fee = await charge(message);
	const [{ total = '' } = {}, ...others] = found?.destination_fees as Array<{ total?: string }>;
	expect(others).toEqual([]);
	expect(found).toMatchObject({
		source_fees: { totalCoins: fromNano(fee) },
		totalCoins: fromNano(fee + BigInt(total)),
	});
	expect(ton.asked.at(-1)?.body).toMatchObject({ ignore_chksig: true });
});

test.each([
	[{ from: bob.v4r2.address.toString() }, /is not deployed yet, so its fee cannot be estimated/],
	[{ jetton: collection.toString() }, /^There is no jetton at EQ/],
	[{ amount: '-1' }, /^'Amount' must be an amount of 0 or more/],
	[{ amount: '0.0000000001' }, /^'Amount' must be an amount with at most 9 decimals/],
	[{ to: 'x' }, /^'To' must be an address/],
])('a payment with %j is refused', async (wrong, words) => {
	const refused = runTon(estimate, { ...payment, ...wrong }, new TonIndex());
	expect(await failureOf(refused)).toMatch(words);
});
