import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	parseSignature,
	serializeErc6492Signature,
	serializeSignature,
	type Hex,
	type TypedDataDomain,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { MNEMONIC } from '../../cases/case.mts';
import { takeRows } from '../../harness/caseCount.mts';
import { deployContract } from '../../harness/contract.mts';
import {
	createAccount,
	deployDollar,
	formatFirstPayment,
	formatSecondPayment,
	secondsFromNow,
	type Dollar,
	type SignedPayment,
} from '../../harness/dollars.mts';
import { createSandbox } from '../../harness/sandbox.mts';
import { evmRpcAt } from './support/scene.mts';

const sandbox = createSandbox({ chain: true });
const { run, first } = evmRpcAt(sandbox);

const SELLER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const STRANGER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const PRICE = 10_000n;
const URL = 'https://shop.example.com/answer';
const buyer = createAccount();
const relayer = mnemonicToAccount(MNEMONIC, { addressIndex: 4 });

let dollar: Dollar;
beforeAll(async () => {
	dollar = await deployDollar(sandbox);
	await dollar.give(buyer.address, 100n * PRICE);
});

const askFor = async (operation: string, parameters: INodeParameters) =>
	(await first({ resource: 'httpPayment', operation, ...parameters })) as IDataObject;

const priceOf = (token: string = dollar.address) => ({
	token,
	to: SELLER,
	amount: '0.01',
	resourceUrl: URL,
});

const offer = () => ({
	scheme: 'exact',
	network: 'eip155:31337',
	amount: String(PRICE),
	asset: dollar.address,
	payTo: SELLER,
	maxTimeoutSeconds: 60,
	extra: { name: 'Test Dollar', version: '2' },
});

const verify = async (payment: unknown) =>
	await askFor('verify', { payment: payment as string, ...priceOf() });

const pay = async (more: object = {}) =>
	await dollar.sign(buyer, { to: SELLER, value: PRICE, ...more });

const decode = (header: unknown) =>
	JSON.parse(Buffer.from(String(header), 'base64').toString()) as IDataObject;

describe('Require', () => {
	test('asks in both versions', async () => {
		const { statusCode, headers, body } = await askFor('require', {
			...priceOf(),
			description: 'An answer',
			mimeType: 'application/json',
			options: { maxTimeout: 90 },
		});
		expect(statusCode).toBe(402);
		expect(Object.keys(headers as object)).toEqual(['PAYMENT-REQUIRED']);
		expect(decode((headers as IDataObject)['PAYMENT-REQUIRED'])).toEqual({
			x402Version: 2,
			error: 'PAYMENT-SIGNATURE header is required',
			resource: { url: URL, description: 'An answer', mimeType: 'application/json' },
			accepts: [{ ...offer(), maxTimeoutSeconds: 90 }],
		});
		// The list `accepts` is empty, because version 1 of x402 has no name for this chain.
		expect(body).toEqual({ x402Version: 1, error: 'X-PAYMENT header is required', accepts: [] });
	});

	test('names the chain in version 1 where it has a name there', async () => {
		await sandbox.chain('anvil_setChainId', 84532);
		try {
			const { body } = await askFor('require', priceOf());
			expect(body).toEqual({
				x402Version: 1,
				error: 'X-PAYMENT header is required',
				accepts: [
					{
						scheme: 'exact',
						network: 'base-sepolia',
						maxAmountRequired: String(PRICE),
						asset: dollar.address,
						payTo: SELLER,
						maxTimeoutSeconds: 60,
						resource: URL,
						description: '',
						mimeType: '',
						extra: { name: 'Test Dollar', version: '2' },
					},
				],
			});
		} finally {
			await sandbox.chain('anvil_setChainId', 31337);
		}
	});

	test.each([
		['UnversionedDollar', { name: 'Unversioned Dollar', version: '1' }],
		['RenamedDollar', { name: 'Once Dollar', version: '3' }],
	])('%s is signed for as its domain says', async (kind, extra) => {
		const { address } = await deployDollar(sandbox, kind);
		const { headers } = await askFor('require', priceOf(address));
		const { accepts } = decode((headers as IDataObject)['PAYMENT-REQUIRED']);
		expect(accepts).toMatchObject([{ extra }]);
	});

	test('a token that does not say how is refused, and one without EIP-3009', async () => {
		const strange = await deployDollar(sandbox, 'StrangeDollar');
		expect(await askFor('require', priceOf(strange.address))).toMatchObject({
			message: expect.stringContaining('does not report the name and version') as string,
		});
		const coin = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
		for (const token of [coin.address, STRANGER]) {
			expect(await askFor('require', priceOf(token))).toMatchObject({
				message: expect.stringContaining(
					'does not support payments by signed authorization (EIP-3009)',
				) as string,
			});
		}
	});
});

describe('Verify', () => {
	test('a payment of version 2 is valid, whatever else the offer says', async () => {
		const signed = await pay();
		const accepted = { ...offer(), maxTimeoutSeconds: 1, extra: {}, note: 'hello' };
		expect(await verify(formatSecondPayment(accepted, signed))).toEqual({
			isValid: true,
			invalidReason: null,
			invalidMessage: null,
			x402Version: 2,
			payer: buyer.address,
			token: dollar.address,
			symbol: 'DUSD',
			value: String(PRICE),
			amount: '0.01',
			validAfter: '0',
			validBefore: signed.authorization.validBefore,
			nonce: signed.authorization.nonce,
			authorization: signed.authorization,
			signature: signed.signature,
		});
	});

	test('one of version 1 is valid, by the name of the chain', async () => {
		await sandbox.chain('anvil_setChainId', 84532);
		try {
			const signed = await pay({ domain: { chainId: 84532 } });
			const payment = formatFirstPayment('base-sepolia', signed);
			expect(await verify(payment)).toMatchObject({ isValid: true, x402Version: 1 });
			expect(await verify(formatFirstPayment('base', signed))).toMatchObject({
				isValid: false,
				invalidReason: 'invalid_exact_evm_network_mismatch',
			});
		} finally {
			await sandbox.chain('anvil_setChainId', 31337);
		}
	});

	const second = (signed: SignedPayment, more: object = {}) =>
		formatSecondPayment({ ...offer(), ...more }, signed);
	const withDomain = async (domain: TypedDataDomain) => second(await pay({ domain }));
	const told = async (change: object) => {
		const { authorization, signature } = await pay();
		return second({ authorization: { ...authorization, ...change }, signature });
	};
	const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
	const flip = (signature: Hex) => {
		const { r, s, yParity } = parseSignature(signature);
		const high = `0x${(ORDER - BigInt(s)).toString(16).padStart(64, '0')}` as const;
		return serializeSignature({ r, s: high, yParity: 1 - yParity });
	};
	const withSignature = async (change: (signature: Hex) => string) => {
		const { authorization, signature } = await pay();
		return formatSecondPayment(offer(), { authorization, signature: change(signature) });
	};
	const MB = 'x'.repeat(1_000_000);
	const text = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64');

	const PAYLOAD = 'invalid_payload';
	const SIGNATURE = 'invalid_exact_evm_signature';
	const OFFER = 'invalid_payment_requirements';
	const VALUE = 'invalid_exact_evm_payload_authorization_value_mismatch';

	test.each(
		takeRows<[string, string, () => unknown]>(
			[
				['nothing', PAYLOAD, () => ''],
				['no text', PAYLOAD, () => 5],
				['a list', PAYLOAD, () => ['e30=', 'e30=']],
				['a megabyte', PAYLOAD, () => MB],
				['a megabyte of JSON', PAYLOAD, () => text({ x402Version: 2, note: MB })],
				['no base64', PAYLOAD, () => '{"x402Version":2}'],
				['no JSON', PAYLOAD, () => Buffer.from('hello').toString('base64')],
				['a JSON list', PAYLOAD, () => text([1])],
				['deep JSON', PAYLOAD, () => Buffer.from('['.repeat(40_000)).toString('base64')],
				['another version', 'invalid_x402_version', () => text({ x402Version: 3 })],
				['no payload', PAYLOAD, () => text({ x402Version: 2, accepted: offer() })],
				['no authorization', PAYLOAD, () => formatSecondPayment(offer(), { signature: '0x' })],
				['a number', PAYLOAD, async () => await told({ value: 10_000 })],
				['a fraction', PAYLOAD, async () => await told({ value: '10000.0' })],
				['an exponent', PAYLOAD, async () => await told({ value: '1e4' })],
				['hex', PAYLOAD, async () => await told({ value: '0x2710' })],
				['a list in it', PAYLOAD, async () => await told({ value: ['10000'] })],
				['an object in it', PAYLOAD, async () => await told({ to: { toString: SELLER } })],
				['a time as text', PAYLOAD, async () => await told({ validBefore: '2030-01-01' })],
				['a negative time', PAYLOAD, async () => await told({ validAfter: '-1' })],
				['too long a number', PAYLOAD, async () => await told({ value: '9'.repeat(100) })],
				['a short nonce', PAYLOAD, async () => await told({ nonce: '0x12' })],
				['a signature that is no hex', PAYLOAD, async () => await withSignature(() => 'hello')],
				[
					'another scheme',
					'invalid_exact_evm_scheme',
					async () => second(await pay(), { scheme: 'upto' }),
				],
				[
					'another chain',
					'invalid_exact_evm_network_mismatch',
					async () => second(await pay(), { network: 'eip155:1' }),
				],
				[
					'no chain',
					'invalid_exact_evm_network_mismatch',
					async () => second(await pay(), { network: ['eip155:31337'] }),
				],
				['another token offered', OFFER, async () => second(await pay(), { asset: STRANGER })],
				['another receiver offered', OFFER, async () => second(await pay(), { payTo: STRANGER })],
				['another amount offered', OFFER, async () => second(await pay(), { amount: '1' })],
				[
					'another receiver',
					'invalid_exact_evm_recipient_mismatch',
					async () => second(await pay({ to: STRANGER })),
				],
				['a unit too little', VALUE, async () => second(await pay({ value: PRICE - 1n }))],
				['a unit too much', VALUE, async () => second(await pay({ value: PRICE + 1n }))],
				[
					'too little time',
					'invalid_exact_evm_payload_authorization_valid_before',
					async () => second(await pay({ validBefore: secondsFromNow(4) })),
				],
				[
					'one for later',
					'invalid_exact_evm_payload_authorization_valid_after',
					async () => second(await pay({ validAfter: secondsFromNow(60) })),
				],
				['another name', SIGNATURE, async () => await withDomain({ name: 'USD Coin' })],
				['another version', SIGNATURE, async () => await withDomain({ version: '1' })],
				['another chain signed', SIGNATURE, async () => await withDomain({ chainId: 1 })],
				[
					'another token signed',
					SIGNATURE,
					async () => await withDomain({ verifyingContract: STRANGER }),
				],
				[
					'more said than signed',
					SIGNATURE,
					async () => await told({ nonce: `0x${'1'.repeat(64)}` }),
				],
				['another payer', SIGNATURE, async () => await told({ from: STRANGER })],
				['the other form of the signature', SIGNATURE, async () => await withSignature(flip)],
				['an empty signature', SIGNATURE, async () => await withSignature(() => '0x')],
				[
					'a long signature',
					SIGNATURE,
					async () => await withSignature((one) => one + '00'.repeat(9000)),
				],
				[
					'one for a contract that is not there yet',
					SIGNATURE,
					async () =>
						await withSignature((signature) =>
							serializeErc6492Signature({ address: STRANGER, data: '0x12', signature }),
						),
				],
			],
			2,
		),
	)('%s is not valid (%s)', async (_, reason, make) => {
		const item = await verify(await make());
		expect(item).toMatchObject({ isValid: false, invalidReason: reason });
		expect(String(item.invalidMessage).length).toBeGreaterThan(10);
		expect(String(item.invalidMessage).length).toBeLessThan(300);
	});

	test('a payer without the amount is not', async () => {
		const signed = await dollar.sign(createAccount(), { to: SELLER, value: PRICE });
		expect(await verify(second(signed))).toMatchObject({
			isValid: false,
			invalidReason: 'invalid_exact_evm_insufficient_balance',
		});
	});

	test('only a node that fails is a failure', async () => {
		const payment = second(await pay());
		await sandbox.fault({ do: { status: 401 } });
		const { error } = await run({
			resource: 'httpPayment',
			operation: 'verify',
			payment,
			...priceOf(),
		});
		expect(error?.message).toMatch(/refused|401/);
	});

	describe('a contract that pays', () => {
		test('signs by its own key (EIP-1271), and settles by bytes', async () => {
			const owner = createAccount();
			const given = [BigInt(owner.address)];
			const { address: wallet } = await deployContract(sandbox, 'Wallet', {
				file: 'Wallets',
				given,
			});
			await dollar.give(wallet, PRICE);
			const from = wallet as Hex;
			const signed = await dollar.sign(owner, { to: SELLER, value: PRICE, from });
			const item = await verify(second(signed));
			expect(item).toMatchObject({
				isValid: true,
				payer:
					signed.authorization.from && (expect.stringMatching(new RegExp(wallet, 'i')) as string),
			});
			expect(await settle(item)).toMatchObject({ status: '0x1' });
			const forged = await dollar.sign(createAccount(), { to: SELLER, value: PRICE, from });
			expect(await verify(second(forged))).toMatchObject({
				isValid: false,
				invalidReason: SIGNATURE,
			});
		});

		describe('and spends much gas on its signature', () => {
			const payBy = async (gas: bigint) => {
				const file = 'Wallets';
				const { address } = await deployContract(sandbox, 'Spendthrift', { file, given: [gas] });
				await dollar.give(address, PRICE);
				const from = address as Hex;
				return await dollar.sign(createAccount(), { to: SELLER, value: PRICE, from });
			};

			test.each([
				['little is valid, and settles within the bound', 150_000n, true, {}],
				['more than the bound is not valid', 310_000n, false, {}],
				['more in all than the bound is not valid', 250_000n, false, {}],
				['as much as a block holds is not valid', 14_000_000n, false, {}],
				['more is valid where the seller allows it', 400_000n, true, { gas: 600_000 }],
			])('%s', async (_what, gas, isValid, options) => {
				const signed = await payBy(gas);
				const item = await first({
					...{ resource: 'httpPayment', operation: 'verify', ...priceOf() },
					...{ payment: second(signed), options },
				});
				expect(item).toMatchObject({ isValid });
				if (!isValid) {
					expect(item).toMatchObject({
						invalidMessage: expect.stringMatching(
							/^The (token|contract) refuses it within 300000 gas: /,
						),
					});
				}
			});

			test('the settlement of such a signature is not prepared, unless its gas is fixed', async () => {
				const signed = await payBy(400_000n);
				expect(await prepare({ ...signed })).toMatchObject({
					message: expect.stringMatching(
						/^The transaction would use \d{6} gas, but at most 300000 may be spent on it$/,
					),
				});
				const { transaction } = await prepare({ ...signed }, relayer.address, { gas: '600000' });
				expect(transaction).toMatchObject({ gas: '0x927c0' });
			});

			test('no buffer leads above the bound', async () => {
				const { transaction } = await prepare({ ...(await payBy(200_000n)) });
				expect(transaction).toMatchObject({ gas: '0x493e0' });
			});

			test('the gas of a key is not bounded', async () => {
				const options = { gasBuffer: 1000 };
				const { transaction } = await prepare({ ...(await pay()) }, relayer.address, options);
				expect(Number((transaction as IDataObject).gas)).toBeGreaterThan(300_000);
			});
		});

		test('that burns all gas is not valid', async () => {
			const burner = '0x00000000000000000000000000000000000b0b0b';
			// The contract's code is an endless loop, which uses up all gas.
			await sandbox.chain('anvil_setCode', burner, '0x5b600056');
			await dollar.give(burner, PRICE);
			const signed = await dollar.sign(createAccount(), { to: SELLER, value: PRICE, from: burner });
			expect(await verify(second(signed))).toMatchObject({
				isValid: false,
				invalidReason: SIGNATURE,
			});
		});
	});

	test('a payment is valid until it is settled, and settled once', async () => {
		const signed = await pay();
		const item = await verify(second(signed));
		const before = await dollar.readBalance(SELLER);
		expect(await settle(item)).toMatchObject({ status: '0x1' });
		expect((await dollar.readBalance(SELLER)) - before).toBe(PRICE);
		expect(await verify(second(signed))).toMatchObject({
			isValid: false,
			invalidReason: 'invalid_exact_evm_nonce_already_used',
		});
		expect(await prepare(item)).toMatchObject({
			message: "The authorization can't be carried out: it is used or canceled",
		});
	});
});

const prepare = async (
	{ authorization, signature }: IDataObject,
	from: string = relayer.address,
	options: INodeParameters = {},
) =>
	(await first({
		resource: 'transaction',
		operation: 'prepare',
		kind: 'authorization',
		from,
		authorization: JSON.stringify(authorization),
		signature: String(signature),
		token: dollar.address,
		options,
	})) as IDataObject;

/** Lets the chain carry out the prepared transaction. */
async function settle(item: IDataObject) {
	const { transaction } = (await prepare(item)) as { transaction: Record<string, string> };
	const { from, to, data, gas } = transaction;
	return await sandbox.mined({ from: from!, to: to!, data: data!, gas: gas! });
}

describe('Prepare an authorization', () => {
	test('says who gets what', async () => {
		const signed = await pay();
		const { summary, transaction } = await prepare({ ...signed });
		expect(transaction).toMatchObject({ from: relayer.address, to: dollar.address, value: '0x0' });
		expect(summary).toMatch(
			new RegExp(
				`^Bring 0\\.01 of the token ${dollar.address} \\("DUSD", 6 decimals\\) from ${buyer.address} to ${SELLER} by an authorization for a fee of at most `,
			),
		);
	});

	test.each<[string, () => Promise<object>, string]>([
		[
			'one that has expired',
			async () => await pay({ validBefore: secondsFromNow(-1) }),
			'it has expired',
		],
		[
			'one for later',
			async () => await pay({ validAfter: secondsFromNow(60) }),
			'it is not valid yet',
		],
		[
			'one that was signed otherwise',
			async () => await pay({ domain: { version: '1' } }),
			'its signature is not valid',
		],
	])('%s is refused', async (_, make, words) => {
		expect(await prepare({ ...(await make()) })).toMatchObject({
			message: `The authorization can't be carried out: ${words}`,
		});
	});

	test('what the token refuses is refused', async () => {
		const signed = await dollar.sign(createAccount(), { to: SELLER, value: PRICE });
		expect(await prepare({ ...signed })).toMatchObject({
			message: expect.stringContaining('transfer amount exceeds balance') as string,
		});
	});

	test('an authorization with more than its members is refused', async () => {
		const { authorization, signature } = await pay();
		const more = { authorization: { ...authorization, memo: 'hello' }, signature };
		expect(await prepare(more)).toMatchObject({
			message: expect.stringContaining(
				'a signed authorization with known fields only: remove "memo"',
			) as string,
		});
	});
});

describe('Respond', () => {
	test('informs the buyer in both versions', async () => {
		const transactionHash = `0x${'ab'.repeat(32)}`;
		const { headers } = await askFor('respond', { transactionHash, payer: buyer.address });
		const receipt = { success: true, transaction: transactionHash, payer: buyer.address };
		for (const name of ['PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE']) {
			expect(decode((headers as IDataObject)[name])).toEqual({
				...receipt,
				network: 'eip155:31337',
			});
		}
	});

	test('without success no hash is needed, with it one is', async () => {
		const { headers } = await askFor('respond', { payer: buyer.address, success: false });
		expect(decode((headers as IDataObject)['PAYMENT-RESPONSE'])).toEqual({
			success: false,
			errorReason: 'invalid_exact_evm_transaction_failed',
			transaction: '',
			payer: buyer.address,
			network: 'eip155:31337',
		});
		expect(await askFor('respond', { payer: buyer.address })).toMatchObject({
			message: expect.stringContaining("'Transaction Hash' is required") as string,
		});
	});
});
