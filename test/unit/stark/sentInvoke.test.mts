import fc from 'fast-check';
import { hash as clientHash, type InvocationsSignerDetails } from 'starknet';
import { computeInvokeHash, parseSentInvoke } from '../../../nodes/core/stark/sentInvoke';
import { PoseidonHasher } from '../../../nodes/core/stark/poseidon';
import { InvalidValue } from '../../../nodes/core/values/parse';

const PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;
const felt = fc.bigInt({ min: 0n, max: PRIME - 1n });
const uint = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n });
const toHex = (value: bigint) => `0x${value.toString(16)}`;
const pad = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;
const felts = (maxLength: number) => fc.array(felt, { maxLength });
const mode = fc.constantFrom('L1', 'L2');
const bound = fc.record({ amount: uint(64), price: uint(128) });

const given = fc.record({
	sender: felt,
	nonce: felt,
	tip: uint(64),
	calldata: felts(9),
	paymaster: felts(3),
	deployment: felts(3),
	proofFacts: felts(3),
	l1: bound,
	l2: bound,
	l1Data: bound,
	nonceMode: mode,
	feeMode: mode,
	chainId: felt,
});

type Given = typeof given extends fc.Arbitrary<infer T> ? T : never;

const writeBound = ({ amount, price }: Given['l1']) => ({
	max_amount: pad(amount),
	max_price_per_unit: pad(price),
});

/** Writes a signed transaction, with the further keys that the nodes Chain STARK and Chain Signer add. */
const writeSigned = (one: Given) => ({
	type: 'INVOKE',
	version: '0x03',
	sender_address: pad(one.sender),
	calldata: one.calldata.map(pad),
	signature: ['0x01', '0x2'],
	nonce: pad(one.nonce),
	resource_bounds: {
		l1_gas: writeBound(one.l1),
		l2_gas: writeBound(one.l2),
		l1_data_gas: writeBound(one.l1Data),
	},
	tip: pad(one.tip),
	paymaster_data: one.paymaster.map(pad),
	account_deployment_data: one.deployment.map(pad),
	nonce_data_availability_mode: one.nonceMode,
	fee_data_availability_mode: one.feeMode,
	...(one.proofFacts.length > 0 && { proof_facts: one.proofFacts.map(pad) }),
	chainId: '0x1',
	maxCost: '0.1',
	calls: ['Send'],
	summary: 'Send',
});

function hashByClient(one: Given): bigint {
	const bounds = { l1_gas: one.l1, l2_gas: one.l2, l1_data_gas: one.l1Data };
	const named = Object.entries(bounds).map(([name, { amount, price }]) => [
		name,
		{ max_amount: amount, max_price_per_unit: price },
	]);
	return BigInt(
		clientHash.calculateInvokeTransactionHash({
			senderAddress: toHex(one.sender),
			version: '0x3',
			compiledCalldata: one.calldata.map(toHex),
			chainId: toHex(one.chainId) as InvocationsSignerDetails['chainId'],
			nonce: one.nonce,
			accountDeploymentData: one.deployment,
			nonceDataAvailabilityMode: one.nonceMode === 'L2' ? 1 : 0,
			feeDataAvailabilityMode: one.feeMode === 'L2' ? 1 : 0,
			resourceBounds: Object.fromEntries(named) as InvocationsSignerDetails['resourceBounds'],
			tip: one.tip,
			paymasterData: one.paymaster,
			proofFacts: one.proofFacts,
		}),
	);
}

test('hashes lists as the reference client does', async () => {
	const hasher = new PoseidonHasher();
	await fc.assert(
		fc.asyncProperty(felts(12), async (list) => {
			expect(await hasher.hash(list)).toBe(BigInt(clientHash.computePoseidonHashOnElements(list)));
		}),
		{ numRuns: 40 },
	);
});

test('a transaction has the hash that the reference client computes', async () => {
	await fc.assert(
		fc.asyncProperty(given, async (one) => {
			const invoke = parseSentInvoke(JSON.stringify(writeSigned(one)));
			expect(await computeInvokeHash(invoke, one.chainId)).toBe(hashByClient(one));
		}),
		{ numRuns: 60 },
	);
});

const [example] = fc.sample(given, { seed: 7, numRuns: 1 }) as [Given];
const signed = writeSigned({ ...example, proofFacts: [] });

test('members beside its own fields are not sent, and no number has leading zeros', () => {
	const { json } = parseSentInvoke(signed);
	expect(Object.keys(json).sort()).toEqual([
		'account_deployment_data',
		'calldata',
		'fee_data_availability_mode',
		'nonce',
		'nonce_data_availability_mode',
		'paymaster_data',
		'resource_bounds',
		'sender_address',
		'signature',
		'tip',
		'type',
		'version',
	]);
	expect(JSON.stringify(json)).not.toMatch(/"0x0[0-9a-f]/);
	const odd = {
		...signed.resource_bounds,
		l3_gas: {},
		l1_gas: { ...writeBound(example.l1), more: 1 },
	};
	expect(parseSentInvoke({ ...signed, resource_bounds: odd }).json).toEqual(json);
});

test('one for a node of 0.7 names two resources', async () => {
	const { l1_gas, l2_gas } = signed.resource_bounds;
	const invoke = parseSentInvoke({ ...signed, resource_bounds: { l1_gas, l2_gas } });
	expect(Object.keys(invoke.json.resource_bounds as object)).toEqual(['l1_gas', 'l2_gas']);
	expect(invoke.hashed.fee).toHaveLength(3);
});

test.each<[string, object]>([
	['tip', { tip: undefined }],
	['tip', { tip: toHex(2n ** 64n) }],
	['paymaster_data', { paymaster_data: {} }],
	['account_deployment_data', { account_deployment_data: ['x'] }],
	['nonce_data_availability_mode', { nonce_data_availability_mode: 'L3' }],
	['fee_data_availability_mode', { fee_data_availability_mode: undefined }],
	['proof_facts', { proof_facts: '0x1' }],
	['resource_bounds.l2_gas', { resource_bounds: { l1_gas: writeBound(example.l1) } }],
	[
		'resource_bounds.l1_gas.max_price_per_unit',
		{
			resource_bounds: {
				...signed.resource_bounds,
				l1_gas: { max_amount: '0x1', max_price_per_unit: toHex(2n ** 128n) },
			},
		},
	],
])('one whose %s is missing or wrong is refused by that name', (name, change) => {
	const parse = () => parseSentInvoke({ ...signed, ...change });
	expect(parse).toThrow(InvalidValue);
	expect(parse).toThrow(`${name} is missing or wrong`);
});

test('a long transaction lets others have their turn while it is hashed', async () => {
	const long = parseSentInvoke({ ...signed, calldata: Array.from({ length: 5000 }, () => '0x1') });
	let longest = 0;
	let last = performance.now();
	let isDone = false;
	const tick = () => {
		longest = Math.max(longest, performance.now() - last);
		last = performance.now();
		if (!isDone) setImmediate(tick);
	};
	setImmediate(tick);
	const before = performance.now();
	await computeInvokeHash(long, 1n);
	isDone = true;
	expect(longest).toBeLessThan((performance.now() - before) / 4);
});
