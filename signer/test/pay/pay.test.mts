import { parseUnits } from 'viem';
import { FAMILY_NAMES } from '../../../nodes/core';
import { createSandbox } from '../../../test/harness/sandbox.mts';
import { paid, runPay } from './payNode.mts';
import { buildScene, GIVES_ALL_COINS, type PayScene } from './scenes.mts';

const sandbox = createSandbox({ chain: true });

/** Writes an address of a STARK rollup without leading zeros, so that two spellings can be compared. */
const inOneSpelling = (address: unknown) => String(address).toLowerCase().replace(/^0x0+/, '0x');

let made = 0;
const nextAmount = () => `0.0${++made}1`;

describe.each(FAMILY_NAMES)('on %s', (chain) => {
	let scene: PayScene;
	beforeEach(async () => (scene = await buildScene(sandbox, chain)));

	/** A payment with a new amount. The chain keeps the payments of earlier tests, and Guard would refuse a repeated one. */
	const asked = (more: object = {}) => ({ chain, to: scene.to, amount: nextAmount(), ...more });

	test('coins are paid in one step', async () => {
		const before = await scene.readBalance();
		const amount = nextAmount();
		const [payment] = await paid(
			sandbox,
			{ operation: 'pay', ...asked({ amount }), paymentId: 'invoice-42' },
			{ rules: scene.rules },
		);
		const units = parseUnits(amount, scene.decimals);
		expect(payment).toMatchObject({
			paymentId: 'invoice-42',
			chain,
			status: 'confirmed',
			transactionHash: expect.stringMatching(/^(0x)?[0-9a-f]{60,64}$/),
			token: null,
			symbol: scene.symbol,
			decimals: scene.decimals,
			value: String(units),
			amount,
			comment: null,
			fee: expect.stringMatching(/^\d+(\.\d+)?$/),
			blockNumber: expect.any(Number),
			timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
			reason: null,
			signedTransaction: expect.any(String),
		});
		expect(inOneSpelling(payment?.from)).toBe(inOneSpelling(scene.from));
		expect(inOneSpelling(payment?.to)).toBe(inOneSpelling(scene.to));
		const arrived = (await scene.readBalance()) - before;
		expect(GIVES_ALL_COINS[chain] ? arrived === units : arrived > 0n && arrived <= units).toBe(
			true,
		);
	});

	test('a token is paid in one step', async () => {
		const before = await scene.readBalance('token');
		const [payment] = await paid(
			sandbox,
			{ operation: 'pay', ...asked({ token: scene.token?.address, amount: '2.5' }) },
			{ rules: scene.rules },
		);
		expect(payment).toMatchObject({
			status: 'confirmed',
			decimals: 6,
			value: '2500000',
			amount: '2.5',
		});
		expect((await scene.readBalance('token')) - before).toBe(2_500_000n);
	});

	test('the preview says what would be paid, and nothing is signed or sent', async () => {
		const before = await scene.readBalance();
		const amount = nextAmount();
		const [preview] = await paid(
			sandbox,
			{ operation: 'preview', ...asked({ amount }) },
			{ rules: scene.rules },
		);
		expect(preview).toMatchObject({
			chain,
			amount,
			maxCost: expect.stringMatching(/^\d+(\.\d+)?$/),
			summary: expect.stringContaining(amount),
			allowed: true,
			rule: null,
		});
		expect(await scene.readBalance()).toBe(before);
	});

	test('finish takes a payment that is done, and pays nothing again', async () => {
		const [payment] = await paid(sandbox, { operation: 'pay', ...asked() }, { rules: scene.rules });
		const before = await scene.readBalance();
		const [finished] = await paid(
			sandbox,
			{ operation: 'finish', chain, signedTransaction: '={{ $json.signedTransaction }}' },
			{ items: [payment ?? {}] },
		);
		expect(finished).toMatchObject({ ...payment, paymentId: null });
		expect(await scene.readBalance()).toBe(before);
	});

	test('the same payment is refused for some minutes, and made where Guard is 0', async () => {
		const parameters = { operation: 'pay', ...asked() };
		const [first] = await paid(sandbox, parameters, { rules: scene.rules });
		const before = await scene.readBalance();
		const { error } = await runPay(sandbox, parameters, { rules: scene.rules });
		expect(error?.message).toMatch(
			new RegExp(
				`^The same payment was made less than a minute ago: ${String(first?.transactionHash)}`,
			),
		);
		expect(await scene.readBalance()).toBe(before);
		const [preview] = await paid(
			sandbox,
			{ ...parameters, operation: 'preview' },
			{ rules: scene.rules },
		);
		expect(preview).toMatchObject({ allowed: false, rule: 'guard' });
		const [again] = await paid(
			sandbox,
			{ ...parameters, options: { guard: 0 } },
			{ rules: scene.rules },
		);
		expect(again?.status).toBe('confirmed');
		expect((await scene.readBalance()) > before).toBe(true);
	});

	test('tokens paid in one run follow each other', async () => {
		const before = await scene.readBalance('token');
		const items = ['0.1', '0.2', '0.3'].map((amount) => ({ amount }));
		const payments = await paid(
			sandbox,
			{
				operation: 'pay',
				...asked({ token: scene.token?.address, amount: '={{ $json.amount }}' }),
			},
			{ rules: scene.rules, items },
		);
		expect(payments.map(({ status, amount }) => [status, amount])).toEqual(
			items.map(({ amount }) => ['confirmed', amount]),
		);
		expect((await scene.readBalance('token')) - before).toBe(600_000n);
	});
});
