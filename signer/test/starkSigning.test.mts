import fc from 'fast-check';
import { CredentialTestContext } from 'n8n-core';
import { ec } from 'starknet';
import { signInvoke } from '../../test/cases/starkSigning.mts';
import { STARK_ACCOUNT } from '../../test/harness/sandbox.mts';
import { getCaseCount } from '../../test/harness/caseCount.mts';
import { credentialTest } from '../nodes/core/editor';
import {
	buildInvoke,
	PRIME,
	runStarkSigner,
	signInvokes,
	SN_SEPOLIA,
	toAddress,
	toHex,
	type Call,
} from './support/stark.mts';
import { getSeed } from '../../test/harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261124) });

const { privateKey, accountAddress } = STARK_ACCOUNT;
const PUBLIC_KEY = ec.starkCurve.getPublicKey(privateKey);

const felts = fc.oneof(
	fc.constantFrom(0n, 1n, 2n ** 128n, PRIME - 1n),
	fc.bigInt({ min: 0n, max: PRIME - 1n }),
);
const uints = (bits: bigint) =>
	fc.oneof(fc.constantFrom(0n, 2n ** bits - 1n), fc.bigInt({ min: 0n, max: 2n ** bits - 1n }));
const bounds = fc
	.tuple(uints(64n), uints(128n))
	.map(([amount, price]) => ({ max_amount: toHex(amount), max_price_per_unit: toHex(price) }));

const calls: fc.Arbitrary<Call> = fc.record({
	to: fc.bigInt({ min: 2n ** 128n, max: 2n ** 250n }),
	name: fc.stringMatching(/^[a-z]{12,20}$/),
	calldata: fc.array(felts, { maxLength: 12 }),
});

const invokes = fc
	.record({
		calls: fc.array(calls, { minLength: 1, maxLength: 4 }),
		nonce: uints(64n),
		tip: uints(64n),
		l1_gas: bounds,
		l2_gas: bounds,
		l1_data_gas: bounds,
		chainId: fc.constantFrom('0x534e5f4d41494e', SN_SEPOLIA),
	})
	.map(({ calls: list, nonce, tip, chainId, ...resource_bounds }) =>
		buildInvoke(list, { nonce: toHex(nonce), tip: toHex(tip), chainId, resource_bounds }),
	);

/** The number of transactions that a run of the node signs. */
const INVOKES_A_RUN = 50;
const RUNS = getCaseCount(10);

function isSignatureOf(message: string, felts: readonly string[]): boolean {
	const [r = 0n, s = 0n] = felts.map(BigInt);
	return ec.starkCurve.verify(new ec.starkCurve.Signature(r, s), message, PUBLIC_KEY);
}

test('what is signed is the hash of the reference client, by its signature, and verifies', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(invokes, { minLength: INVOKES_A_RUN, maxLength: INVOKES_A_RUN }),
			async (given) => {
				const results = await signInvokes(given);
				const expected = given.map((one) => {
					const { signature, hash: transactionHash } = signInvoke(one, privateKey);
					expect(isSignatureOf(transactionHash, signature)).toBe(true);
					return {
						transaction: { ...one, signature },
						transactionHash,
						from: accountAddress,
					};
				});
				expect(results).toEqual(expected);
			},
		),
		{ numRuns: RUNS },
	);
});

const get = { resource: 'account', operation: 'get', kind: 'stark' };

test.each([privateKey, privateKey.slice(2), `0x${privateKey.slice(2).padStart(64, '0')}`])(
	'the account of a key, whatever zeros it begins with (%#)',
	async (given) => {
		const { items } = await runStarkSigner(get, { privateKey: given });
		const publicKey = toAddress(BigInt(ec.starkCurve.getStarkKey(privateKey)));
		expect(items.map(({ json }) => json)).toEqual([{ address: accountAddress, publicKey }]);
	},
);

test('a key of few digits is the number that it is', async () => {
	const { items } = await runStarkSigner(get, { privateKey: '0xabc' });
	expect(items[0]?.json.publicKey).toBe(toAddress(BigInt(ec.starkCurve.getStarkKey('0xabc'))));
});

const CURVE_ORDER = 0x800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2fn;

async function testCredential(data: object) {
	const test = credentialTest.signerStark.bind(new CredentialTestContext());
	return await test({ id: '1', name: 'test', type: 'chainSignerStarkApi', data: data as never });
}

test.each([
	['0', '0x0'],
	['the order of the curve', toHex(CURVE_ORDER)],
	['a digit too many', `1${'2'.repeat(64)}`],
	['a letter that no hex digit is', `${privateKey.slice(0, -1)}g`],
	['nothing', ' '],
	['words', 'abandon '.repeat(24)],
])('a key that is %s is refused, and nothing of it is shown', async (_, key) => {
	const { status, message } = await testCredential({ ...STARK_ACCOUNT, privateKey: key });
	expect(status).toBe('Error');
	expect(message).toMatch(/^The Private Key of the credential must be hex/);
	for (const part of key.match(/\w{5,}/g) ?? []) expect(message).not.toContain(part);
});

test.each(['', '123', '0x0', toHex(PRIME)])('no account at %j', async (address) => {
	const { status, message } = await testCredential({ ...STARK_ACCOUNT, accountAddress: address });
	expect(status).toBe('Error');
	expect(message).toMatch(/^The Account Address of the credential must be an address/);
});

test('account: get rules says the worst', async () => {
	const rules = { chainIds: 'SN_MAIN', maxFee: '0.5' };
	const { items } = await runStarkSigner({ ...get, operation: 'getRules' }, { rules });
	expect(items[0]?.json.worst).toMatch(
		/^At worst, someone who controls the workflow can spend .* STRK .*SN_MAIN/,
	);
});

test('the test of the credential names the account, and says the worst', async () => {
	const token = toAddress(5n);
	const { status, message } = await testCredential({
		...STARK_ACCOUNT,
		chainIds: 'SN_MAIN',
		maxFee: '0.5',
		recipients: '0x6',
		tokenLimits: '0x5 25 6',
		contracts: '0x9 mint',
		dailyTransactions: '20',
		firstNonce: '7',
		firstDay: '2026-11-24',
	});
	expect(status).toBe('OK');
	expect(message).toBe(
		`Signs for ${accountAddress} by the public key ${toAddress(BigInt(ec.starkCurve.getStarkKey(privateKey)))}. At worst, someone who controls the workflow can spend 10 STRK a day on fees on SN_MAIN: each of 20 transactions costs at most 0.5 STRK. What was not used on earlier days since 2026-11-24 can be used, too. This person can take 500 tokens of ${token} a day: each of 20 transactions moves at most 25. What was not used on earlier days since 2026-11-24 can be used, too. Only these addresses can receive the tokens: ${toAddress(6n)}. This person can call mint of ${toAddress(9n)}. No rule limits what such a call moves.`,
	);
});

const CALL: Call = { to: 5n, name: 'mint', calldata: [1n] };
const CALLDATA = buildInvoke([CALL]).calldata;

test.each<[string, object, RegExp]>([
	['of another account', { sender_address: '0x1' }, /is from 0x0+1, but this credential signs for/],
	['of a query', { version: toHex(2n ** 128n + 3n) }, /whose version is 0x3/],
	['of an older version', { version: '0x1' }, /whose version is 0x3/],
	['of another type', { type: 'DECLARE' }, /whose type is INVOKE/],
	['with paymaster data', { paymaster_data: ['0x1'] }, /paymaster_data is an empty list/],
	[
		'with deployment data',
		{ account_deployment_data: ['0x1'] },
		/deployment_data is an empty list/,
	],
	['with a nonce elsewhere', { nonce_data_availability_mode: 'L2' }, /availability_mode is L1/],
	['with a fee elsewhere', { fee_data_availability_mode: 'L2' }, /availability_mode is L1/],
	['with facts of a proof', { proof_facts: [] }, /with known fields only: remove "proof_facts"/],
	['that is signed', { signature: [] }, /with known fields only: remove "signature"/],
	['without a chain', { chainId: undefined }, /whose chainId is a felt/],
	['with a felt beyond the prime', { calldata: [toHex(PRIME)] }, /calldata\[0\] is a felt/],
	['with a number as a felt', { calldata: [1] }, /calldata\[0\] is a felt/],
	[
		'with a tip that is too large',
		{ tip: toHex(2n ** 64n) },
		/tip is a number below 2\^64 as 0x-hex/,
	],
	[
		'without bounds of data',
		{ resource_bounds: { l1_gas: {}, l2_gas: {} } },
		/l1_gas is .*max_amount/,
	],
	[
		'with endless calldata',
		{ calldata: Array.from({ length: 5001 }, () => '0x0') },
		/at most 5000/,
	],
	['without calls', { calldata: ['0x0'] }, /no list of calls/],
	['with more felts at the end', { calldata: [...CALLDATA, '0x0'] }, /no list of calls/],
	['with a felt too few', { calldata: CALLDATA.slice(0, -1) }, /no list of calls/],
	[
		'of an account of Cairo 0',
		{ calldata: ['0x1', '0x5', '0x6', '0x0', '0x1', '0x1', '0x1'] },
		/no list of calls/,
	],
	[
		'that accounts of both kinds could read',
		// The calldata has two meanings: a newer account reads two calls with arguments, and an older account reads two
		// calls without arguments.
		{
			calldata: [2, 5, 6, 6, 0, 7, 8, 0, 0, 6, 9, 10, 3, 0, 0, 0].map((felt) =>
				toHex(BigInt(felt)),
			),
		},
		/an account of Cairo 0 would read other calls/,
	],
])('a transaction %s is refused', async (_, change, message) => {
	const [result] = await signInvokes([buildInvoke([CALL], change)]);
	expect(result?.error).toMatch(message);
	expect(result).not.toHaveProperty('transaction');
});

test.each(['message', 'transaction', 'typedData'])('the key signs no %s', async (resource) => {
	const given = { resource, operation: 'sign', authentication: 'key', [resource]: '{}' };
	const { error } = await runStarkSigner(given);
	expect(error?.message).toMatch(/credential/i);
});
