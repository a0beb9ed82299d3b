import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { parseSignature, recoverTypedDataAddress, type Hex } from 'viem';
import { AUTHORIZATION_TYPES } from '../../test/harness/authorizations.mts';
import { deployDollar, type Dollar } from '../../test/harness/dollars.mts';
import { createSandbox } from '../../test/harness/sandbox.mts';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { runNode } from '../../test/harness/engine.mts';
import { setClock } from './support/clock.mts';
import { nonceOf } from './support/nonces.mts';
import { ADDRESS, CONTRACT, FRIEND, signWith, STRANGER, TOKEN } from './support/signerNode.mts';

afterEach(() => jest.restoreAllMocks());

const RULES = {
	chainIds: '31337, 84532',
	tokenLimits: `${TOKEN} 0.5 6`,
	recipients: FRIEND,
	typedDataKinds: ['transferWithAuthorization'],
};

const OFFER = {
	scheme: 'exact',
	network: 'eip155:31337',
	amount: '10000',
	asset: TOKEN,
	payTo: FRIEND,
	maxTimeoutSeconds: 60,
	extra: { name: 'Test Dollar', version: '2' },
};
const { amount, ...REST } = OFFER;
const FIRST_OFFER = { ...REST, network: 'base-sepolia', maxAmountRequired: amount };
const RESOURCE = { url: 'https://shop.example.com/answer', description: 'An answer' };

const required = (...accepts: unknown[]) => ({ x402Version: 2, resource: RESOURCE, accepts });
const firstRequired = (...accepts: unknown[]) => ({ x402Version: 1, error: 'pay', accepts });
const encode = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64');
const decode = (header: unknown) =>
	JSON.parse(Buffer.from(String(header), 'base64').toString()) as {
		payload: { authorization: Record<string, string>; signature: Hex };
	} & IDataObject;

const signing = (paymentRequired: unknown, options: INodeParameters = {}): INodeParameters => ({
	resource: 'httpPayment',
	operation: 'sign',
	paymentRequired: paymentRequired as string,
	options,
});

async function sign(given: unknown, rules: object = {}, options: INodeParameters = {}) {
	const { items, error } = await signWith(signing(given, options), {
		rules: { ...RULES, ...rules } as never,
	});
	if (error) throw error;
	return items[0]!.json as IDataObject & { headers: Record<string, string> };
}

async function messageOf(given: unknown, rules: object = {}, options: INodeParameters = {}) {
	const { error, items } = await signWith(signing(given, options), {
		rules: { ...RULES, ...rules } as never,
	});
	expect(items).toEqual([]);
	return error?.message;
}

/** Computes the signer of a payment with viem. */
async function recover(header: string, chainId = 31337) {
	const { authorization, signature } = decode(header).payload;
	return await recoverTypedDataAddress({
		domain: { name: 'Test Dollar', version: '2', chainId, verifyingContract: TOKEN },
		types: AUTHORIZATION_TYPES,
		primaryType: 'TransferWithAuthorization',
		message: authorization as never,
		signature,
	});
}

test('an offer of version 2 is signed, and repeated to the letter', async () => {
	const offer = { ...OFFER, note: { b: [1, 'ä'], a: null } };
	const before = Math.floor(Date.now() / 1000);
	const item = await sign(encode({ ...required(offer), extensions: { bazaar: { info: 1 } } }));
	const { headers, validBefore, ...rest } = item;
	expect(rest).toEqual({
		x402Version: 2,
		network: 'eip155:31337',
		token: TOKEN,
		value: '10000',
		amount: '0.01',
		to: FRIEND,
	});
	expect(Object.keys(headers)).toEqual(['PAYMENT-SIGNATURE']);
	const paid = decode(headers['PAYMENT-SIGNATURE']);
	expect(JSON.stringify(paid.accepted)).toBe(JSON.stringify(offer));
	expect(paid).toMatchObject({
		x402Version: 2,
		resource: RESOURCE,
		extensions: { bazaar: { info: 1 } },
		payload: { authorization: { from: ADDRESS, to: FRIEND, value: '10000', validBefore } },
	});
	const { validAfter, nonce } = paid.payload.authorization;
	expect(Number(validBefore) - before).toBeGreaterThanOrEqual(60);
	expect(Number(validBefore) - Number(validAfter)).toBe(660);
	expect(nonce).toMatch(/^0x[0-9a-f]{64}$/);
	expect(await recover(headers['PAYMENT-SIGNATURE']!)).toBe(ADDRESS);
	const again = await sign(encode(required(offer)));
	expect(decode(again.headers['PAYMENT-SIGNATURE']).payload.authorization.nonce).not.toBe(nonce);
});

test('an offer of version 1 is signed', async () => {
	const { headers, ...item } = await sign(firstRequired(FIRST_OFFER));
	expect(item).toMatchObject({ x402Version: 1, network: 'base-sepolia', amount: '0.01' });
	expect(Object.keys(headers)).toEqual(['X-PAYMENT']);
	expect(decode(headers['X-PAYMENT'])).toMatchObject({
		x402Version: 1,
		scheme: 'exact',
		network: 'base-sepolia',
	});
	expect(await recover(headers['X-PAYMENT']!, 84532)).toBe(ADDRESS);
});

test('the amount is null where the limit has no decimals', async () => {
	const item = await sign(required(OFFER), { tokenLimits: `${TOKEN} 10000` });
	expect(item).toMatchObject({ value: '10000', amount: null });
});

test.each<[string, unknown, number]>([
	['the header', encode(required(OFFER)), 2],
	['the body', firstRequired(FIRST_OFFER), 1],
	['the body as text', JSON.stringify(firstRequired(FIRST_OFFER)), 1],
	[
		'the whole answer of version 2',
		{
			statusCode: 402,
			headers: { 'payment-required': encode(required(OFFER)) },
			body: firstRequired(FIRST_OFFER),
		},
		2,
	],
	['the whole answer of version 1', { headers: {}, body: firstRequired(FIRST_OFFER) }, 1],
	[
		'the whole answer with its body as text',
		{ headers: {}, body: JSON.stringify(firstRequired(FIRST_OFFER)) },
		1,
	],
])('%s is taken', async (_, given, x402Version) => {
	const parameters = { ...signing(''), paymentRequired: '={{ $json.given }}' };
	const items = [{ json: { given: given as IDataObject } }];
	const run = await signWith(parameters, { rules: RULES as never, items });
	expect(run.items[0]?.json).toMatchObject({ x402Version });
});

describe('a hostile seller is refused by the rule', () => {
	const of = (change: object) => required({ ...OFFER, ...change });
	test.each<[string, unknown, RegExp, object?]>([
		[
			'who asks for more',
			of({ amount: '500001' }),
			/^The rule Token Limits forbids it: .* is about 0.500001. Allowed: at most 0.5 whole tokens$/,
		],
		[
			'of another token',
			of({ asset: CONTRACT }),
			/^The rule Token Limits forbids it: .*which has no limit/,
		],
		['who names another receiver', of({ payTo: STRANGER }), /^The rule Recipients forbids it: /],
		[
			'on another chain',
			of({ network: 'eip155:1' }),
			/^The rule Chain IDs forbids it: .* chain 1. Allowed: 31337, 84532$/,
		],
		[
			'who wants it to be valid for a year',
			of({ maxTimeoutSeconds: 31_536_000 }),
			/^The TransferWithAuthorization can be used until .* more than a day from now$/,
		],
		[
			'where a year is bound by the day',
			of({ maxTimeoutSeconds: 31_536_000 }),
			/more than a day from now$/,
			{ dailyAuthorizations: '5' },
		],
		[
			'where no kind is allowed',
			of({}),
			/^The rule Typed Data Kinds forbids it: /,
			{ typedDataKinds: [] },
		],
		[
			'where any typed data may be signed',
			of({}),
			/^The rule Typed Data Kinds forbids it: /,
			{ typedDataKinds: [], allowTypedData: true },
		],
		[
			'where more would be signed by Allow Typed Data',
			of({ amount: '500001' }),
			/^The rule Token Limits forbids it: /,
			{ allowTypedData: true },
		],
		[
			'beside Daily Transactions',
			of({}),
			/^The rule Daily Transactions forbids it: typed data takes no nonce/,
			{ chainIds: '31337', dailyTransactions: '1', firstNonce: '0', firstDay: '2026-11-24' },
		],
	])('%s', async (_, given, words, rules = {}) => {
		expect(await messageOf(given, rules)).toMatch(words);
	});

	test.each<[string, unknown, RegExp]>([
		[
			'another scheme',
			of({ scheme: 'upto' }),
			/can't be paid: it must be a payment offer whose scheme is exact$/,
		],
		[
			'another method',
			of({ extra: { ...OFFER.extra, assetTransferMethod: 'permit2' } }),
			/whose assetTransferMethod is eip3009$/,
		],
		['no domain', of({ extra: {} }), /whose extra.name is text of at most 1000 characters$/],
		[
			'a domain that is no text',
			of({ extra: { name: { a: 1 }, version: '2' } }),
			/whose extra.name is text of at most 1000 characters$/,
		],
		['an amount that is none', of({ amount: '-1' }), /whose amount is a whole number/],
		['a fraction', of({ amount: 0.5 }), /whose amount is a whole number/],
		['a token that is none', of({ asset: 'usdc' }), /whose asset is an address/],
		[
			'another family of chains',
			of({ network: 'solana:mainnet' }),
			/whose network is an EVM chain/,
		],
		['no time', of({ maxTimeoutSeconds: undefined }), /whose maxTimeoutSeconds is a whole number/],
		[
			'a time before now',
			of({ maxTimeoutSeconds: -5 }),
			/whose maxTimeoutSeconds is a whole number/,
		],
		['an offer that is none', required('pay me'), /a payment offer as a JSON object$/],
		[
			'no offers',
			required(),
			/^'Payment Required' must be .* with at least one payment offer in the list 'accepts'; got /,
		],
		[
			'very many offers',
			required(...Array<object>(51).fill(OFFER)),
			/with at most 50 payment offers/,
		],
		['another version', { x402Version: 3, accepts: [OFFER] }, /'x402Version' is 1 or 2/],
		[
			'a megabyte',
			'A'.repeat(1_000_000),
			/^'Payment Required' must be a seller's response with status 402/,
		],
		['no base64', 'hello!', /^'Payment Required' must be a seller's response with status 402/],
	])('and what can not be paid in words: %s', async (_, given, words) => {
		expect(await messageOf(given)).toMatch(words);
	});
});

describe('of several offers', () => {
	const dear = { ...OFFER, amount: '900000' };
	const other = { ...OFFER, network: 'eip155:84532', amount: '20000' };
	const second = { ...OFFER, asset: CONTRACT, amount: '30000' };

	test('the first that the rules allow is signed', async () => {
		const unusable = { ...OFFER, scheme: 'upto' };
		expect(await sign(required(unusable, dear, OFFER, other))).toMatchObject({ value: '10000' });
	});

	test('the named one is signed', async () => {
		const all = required(OFFER, other, second);
		const rules = { tokenLimits: `${TOKEN} 0.5 6\n${CONTRACT} 100000` };
		expect(await sign(all, rules, { network: 'eip155:84532' })).toMatchObject({ value: '20000' });
		expect(await sign(all, rules, { network: 'base-sepolia' })).toMatchObject({ value: '20000' });
		const options = { token: CONTRACT.toLowerCase() };
		expect(await sign(all, rules, options)).toMatchObject({ value: '30000', token: CONTRACT });
	});

	test('none is signed where all are refused, or none has the name', async () => {
		expect(await messageOf(required(dear, second))).toMatch(
			/^The rules of the credential allow none of the seller's 2 offers\. Offer 1: The rule Token Limits forbids it: .*\. Offer 2: The rule Token Limits/,
		);
		expect(await messageOf(required(OFFER), {}, { network: 'eip155:1' })).toMatch(
			/^None of the seller's offers \(1\) fits the options Network and Token$/,
		);
	});
});

describe('with Daily Authorizations', () => {
	const DAY = 86_400;
	const NOON = '2026-11-24T12:00:00Z';
	const day = Date.parse('2026-11-24T00:00:00Z') / 1000 / DAY;
	const daily = { dailyAuthorizations: '3' };
	const authorizationOf = ({ headers }: { headers: Record<string, string> }) =>
		decode(headers['PAYMENT-SIGNATURE']).payload.authorization as Record<string, string>;

	test('a run takes the nonces of the day in turn', async () => {
		setClock(NOON);
		const items = Array.from({ length: 7 }, () => ({ json: {} }));
		const run = await signWith(signing(encode(required(OFFER))), {
			rules: { ...RULES, ...daily } as never,
			items,
		});
		const nonces = run.items.map(({ json }) => authorizationOf(json as never).nonce);
		const own = [0, 1, 2].map((number) => nonceOf(number, day, TOKEN));
		const start = own.indexOf(nonces[0]!);
		expect(start).toBeGreaterThanOrEqual(0);
		expect(nonces).toEqual(items.map((_, at) => own[(start + at) % 3]));
	});

	test.each([
		['after midnight', '2026-11-24T00:01:00Z', '2026-11-24T00:00:00Z', '2026-11-24T00:02:00Z'],
		['at noon', NOON, '2026-11-24T11:50:00Z', '2026-11-24T12:01:00Z'],
		['before midnight', '2026-11-24T23:59:20Z', '2026-11-24T23:49:20Z', '2026-11-24T23:59:59Z'],
	])('%s it is valid on one day', async (_, now, after, before) => {
		setClock(now);
		const { validAfter, validBefore } = authorizationOf(await sign(required(OFFER), daily));
		const times = [validAfter, validBefore].map((one) => new Date(Number(one) * 1000));
		expect(times).toEqual([new Date(after), new Date(before)]);
	});

	test('just before midnight it is refused', async () => {
		setClock('2026-11-24T23:59:45Z');
		expect(await messageOf(required(OFFER), daily)).toBe(
			'The day (UTC) ends in 15 seconds, and Daily Authorizations lets no authorization be valid on two days',
		);
		const short = { ...OFFER, maxTimeoutSeconds: 10 };
		expect(await sign(required(short), daily)).toMatchObject({ value: '10000' });
	});
});

describe('on a chain', () => {
	const sandbox = createSandbox({ chain: true });
	let dollar: Dollar;
	beforeAll(async () => {
		dollar = await deployDollar(sandbox);
		await dollar.give(ADDRESS, 1_000_000n);
	});

	async function evm(parameters: INodeParameters) {
		const { items, error } = await runNode({
			node: new EvmRpc(),
			parameters,
			credentials: sandbox.credentials.token,
		});
		if (error) throw error;
		return items[0]!.json;
	}

	test.each([{}, { dailyAuthorizations: '5' }])(
		'what is required is signed, verified and settled (%j)',
		async (more) => {
			const price = {
				token: dollar.address,
				to: FRIEND,
				amount: '0.01',
				resourceUrl: RESOURCE.url,
			};
			const asked = await evm({ resource: 'httpPayment', operation: 'require', ...price });
			const rules = { tokenLimits: `${dollar.address} 0.01 6`, ...more };
			const { headers } = await sign((asked.headers as IDataObject)['PAYMENT-REQUIRED'], rules);
			const payment = headers['PAYMENT-SIGNATURE']!;
			const verified = await evm({
				resource: 'httpPayment',
				operation: 'verify',
				payment,
				...price,
			});
			expect(verified).toMatchObject({ isValid: true, payer: ADDRESS, amount: '0.01' });
			const { authorization, signature } = decode(payment).payload;
			const { r, s, yParity } = parseSignature(signature);
			const { from, to, value, validAfter, validBefore, nonce } = authorization;
			const words = [from, to, value, validAfter, validBefore, nonce].map((one) => BigInt(one!));
			const data = dollar.data(
				'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
				...words,
				27 + yParity,
				BigInt(r),
				BigInt(s),
			);
			const before = await dollar.readBalance(FRIEND);
			await sandbox.mined({ from: dollar.owner, to: dollar.address, data });
			expect((await dollar.readBalance(FRIEND)) - before).toBe(10_000n);
		},
	);
});
