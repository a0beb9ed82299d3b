import { Address } from '@ton/core';
import { controlSandbox } from './control.mts';
import type { Sandbox } from './sandbox.mts';

interface TonPayment {
	/** The amount in whole coins, or in the smallest unit of the jetton. */
	readonly amount: string;
	readonly comment?: string;
	readonly jetton?: string;
}

export interface TonFacts {
	/**
	 * The account that pays in the examples. It has coins and jettons, and the credential Chain Signer TON API has its
	 * key.
	 */
	readonly payer: string;
	/** The wallet that receives payments of customers. It sends nothing. */
	readonly shop: string;
	/** The address of a jetton of the demo, which has 6 decimals. */
	readonly jetton: string;
	/** Lets a customer pay the shop. */
	readonly payShop: (payment: TonPayment) => Promise<void>;
}

interface Person {
	readonly v3r2: string;
	readonly v4r2: string;
	readonly v5r1: string;
}

interface Described {
	readonly people: Readonly<Record<'giver' | 'alice' | 'bob', Person>>;
}

const JETTON = { name: 'Demo Dollar', symbol: 'DEMOD', decimals: '6' };
const MINTED_UNITS = '1000000000000';

/**
 * Prepares the sandbox's TON chain: makes a jetton, gives it to the paying accounts, and pays the shop for the first
 * time.
 */
export async function seedTon(sandbox: Sandbox): Promise<TonFacts> {
	const { people } = await controlSandbox<Described>(sandbox, '/ton/chain');
	const { address: jetton } = await controlSandbox<{ address: string }>(sandbox, '/ton/jettons', {
		content: JETTON,
	});
	const { giver, alice, bob } = people;
	for (const to of [giver.v3r2, alice.v5r1])
		await controlSandbox(sandbox, '/ton/mint', { jetton, to, amount: MINTED_UNITS });
	const payShop = async (payment: TonPayment) => {
		await controlSandbox(sandbox, '/ton/pay', { to: bob.v4r2, ...payment });
	};
	await payShop({ amount: '12500000', jetton, comment: 'Invoice 1' });
	await payShop({ amount: '2.5', comment: 'Invoice 2' });
	return {
		payer: Address.parse(alice.v5r1).toString({ bounceable: false }),
		shop: Address.parse(bob.v4r2).toString({ bounceable: false }),
		jetton: Address.parse(jetton).toString(),
		payShop,
	};
}

const FIRST_INVOICE = 100;
const PAYMENT_INTERVAL_MS = 60_000;

/** Lets a customer pay the shop once a minute while the demo runs. The payments alternate between coins and jettons. */
export function keepPayingShop({ payShop, jetton }: TonFacts): void {
	let invoice = FIRST_INVOICE;
	const payNext = async () => {
		invoice += 1;
		const comment = `Invoice ${invoice}`;
		await payShop(
			invoice % 2 === 0 ? { amount: '1.25', comment } : { amount: '4990000', jetton, comment },
		);
	};
	// A failed payment is ignored. If the sandbox has stopped, the demo ends by itself.
	setInterval(() => void payNext().catch(() => {}), PAYMENT_INTERVAL_MS).unref();
}
