import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { CallData, hash, transaction, type Abi } from 'starknet';
import { runNode, type NodeRun } from '../../../test/harness/engine.mts';
import { STARK_ACCOUNT } from '../../../test/harness/sandbox.mts';
import { Signer } from '../../nodes/Signer/Signer.node';
import { credentialTypes } from './signerNode.mts';

const node = new Signer();

/** The default rules, which allow all common requests. */
const ANY: ICredentialDataDecryptedObject = {
	chainIds: 'SN_MAIN, SN_SEPOLIA',
	maxFee: '1000000000000000000000000000000000000000000',
	contracts: '*',
};

interface Signing extends Partial<Omit<NodeRun, 'credentials'>> {
	readonly rules?: ICredentialDataDecryptedObject;
	readonly privateKey?: string;
}

/** Runs the node with the credential of the STARK rollup. */
export async function runStarkSigner(parameters: INodeParameters, more: Signing = {}) {
	const { rules = ANY, privateKey = STARK_ACCOUNT.privateKey, ...run } = more;
	return await runNode({
		node,
		parameters,
		credentials: { chainSignerStarkApi: { ...STARK_ACCOUNT, privateKey, ...rules } },
		credentialTypes,
		...run,
	});
}

/** Signs the transactions in one run. Returns the output of each, or its error if it is refused. */
export async function signInvokes(invokes: readonly object[], more: Signing = {}) {
	const { items, error } = await runStarkSigner(
		{ resource: 'starkTransaction', operation: 'sign', transaction: '={{ $json }}' },
		{
			items: invokes.map((json) => ({ json: json as never })),
			onError: 'continueRegularOutput',
			...more,
		},
	);
	if (error) throw error;
	return items.map(({ json }) => json);
}

export const toHex = (felt: bigint) => `0x${felt.toString(16)}`;
export const toAddress = (felt: bigint) => `0x${felt.toString(16).padStart(64, '0')}`;

export interface Call {
	readonly to: bigint;
	readonly name: string;
	readonly calldata: readonly bigint[];
}

const formatCalls = (calls: readonly Call[]) =>
	calls.map(({ to, name, calldata }) => ({
		contractAddress: toHex(to),
		entrypoint: name,
		calldata: calldata.map(toHex),
	}));

/** Encodes the calldata of the calls with the reference client. */
export function encodeCalls(calls: readonly Call[]): bigint[] {
	return transaction.fromCallsToExecuteCalldata_cairo1(formatCalls(calls)).map(BigInt);
}

/** Encodes the calldata of the calls in the older form, for accounts of Cairo 0. */
export function encodeOlderCalls(calls: readonly Call[]): bigint[] {
	return transaction.fromCallsToExecuteCalldata(formatCalls(calls)).map(BigInt);
}

export const SN_SEPOLIA = '0x534e5f5345504f4c4941';

/** Builds a transaction in the form in which the operation Prepare returns it. */
export function buildInvoke(calls: readonly Call[], change: object = {}) {
	return {
		type: 'INVOKE',
		version: '0x3',
		sender_address: toHex(BigInt(STARK_ACCOUNT.accountAddress)),
		calldata: encodeCalls(calls).map(toHex),
		nonce: '0x7',
		resource_bounds: {
			l1_gas: { max_amount: '0x0', max_price_per_unit: '0x3' },
			l2_gas: { max_amount: '0x64', max_price_per_unit: '0x5' },
			l1_data_gas: { max_amount: '0x2', max_price_per_unit: '0x7' },
		},
		tip: '0x1',
		paymaster_data: [] as string[],
		account_deployment_data: [] as string[],
		nonce_data_availability_mode: 'L1',
		fee_data_availability_mode: 'L1',
		chainId: SN_SEPOLIA,
		...change,
	};
}

const ADDRESS = 'core::starknet::contract_address::ContractAddress';
const UINT256 = 'core::integer::u256';
const CALL = 'core::starknet::account::Call';
const CALLS = `core::array::Array::<${CALL}>`;

const describeMembers = (members: Readonly<Record<string, string>>) =>
	Object.entries(members).map(([name, type]) => ({ name, type }));

const describeFunction = (name: string, ...types: readonly string[]) => ({
	type: 'function',
	name,
	inputs: types.map((type, at) => ({ name: `value${at}`, type })),
	outputs: [],
	state_mutability: 'external',
});

/** The types of the arguments of token functions, as the standards define them. */
const TOKEN_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
	transfer: [ADDRESS, UINT256],
	approve: [ADDRESS, UINT256],
	increase_allowance: [ADDRESS, UINT256],
	increaseAllowance: [ADDRESS, UINT256],
	decrease_allowance: [ADDRESS, UINT256],
	decreaseAllowance: [ADDRESS, UINT256],
	transfer_from: [ADDRESS, ADDRESS, UINT256],
	transferFrom: [ADDRESS, ADDRESS, UINT256],
	set_approval_for_all: [ADDRESS, 'core::bool'],
	setApprovalForAll: [ADDRESS, 'core::bool'],
};

export const TOKEN_FUNCTIONS = Object.keys(TOKEN_ARGUMENTS);

const abi = [
	{
		type: 'struct',
		name: CALL,
		members: describeMembers({
			to: ADDRESS,
			selector: 'core::felt252',
			calldata: 'core::array::Span::<core::felt252>',
		}),
	},
	{
		type: 'struct',
		name: UINT256,
		members: describeMembers({ low: 'core::integer::u128', high: 'core::integer::u128' }),
	},
	describeFunction('__execute__', CALLS),
	...Object.entries(TOKEN_ARGUMENTS).map(([name, types]) => describeFunction(name, ...types)),
] as unknown as Abi;

const client = new CallData(abi);

const NAMES = new Map(
	TOKEN_FUNCTIONS.map((name) => [BigInt(hash.getSelectorFromName(name)), name]),
);

const NO_ADDRESS = 2n ** 251n - 256n;

/** Decodes values with the reference client. Returns undefined if the client would encode the values differently. */
function decode(functionName: string, types: readonly string[], felts: readonly bigint[]) {
	try {
		const values = client.decodeParameters([...types], felts.map(toHex));
		const list = (types.length === 1 ? [values] : values) as unknown[];
		const again = client.compile(functionName, list as never).map(BigInt);
		return String(again) === String(felts) ? list : undefined;
	} catch {
		return undefined;
	}
}

const OLDER_CALL = 'AccountCallArray';

const describeFelts = (members: Readonly<Record<string, string>>) =>
	Object.entries(members).map(([name, type], offset) => ({ name, type, offset }));

/** A parser of calldata of Cairo 0. The calldata is declared as a result, because the reference client parses results only. */
const olderClient = new CallData([
	{
		type: 'struct',
		name: OLDER_CALL,
		size: 4,
		members: describeFelts({ to: 'felt', selector: 'felt', data_offset: 'felt', data_len: 'felt' }),
	},
	{
		type: 'function',
		name: '__execute__',
		inputs: [],
		outputs: describeMembers({
			calls_len: 'felt',
			calls: `${OLDER_CALL}*`,
			calldata_len: 'felt',
			calldata: 'felt*',
		}),
	},
] as unknown as Abi);

interface OlderCall {
	readonly to: bigint;
	readonly selector: bigint;
	readonly data_offset: bigint;
	readonly data_len: bigint;
}

export const PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;

/** Whether an account of Cairo 0 would read several calls in the calldata. The reference client parses it. */
export function isReadableByOlderAccounts(calldata: readonly bigint[]): boolean {
	try {
		const { calls, calldata: data } = olderClient.parse('__execute__', calldata.map(toHex)) as {
			readonly calls: readonly OlderCall[];
			readonly calldata: readonly bigint[];
		};
		const again = [
			BigInt(calls.length),
			...calls.flatMap((one) => [one.to, one.selector, one.data_offset, one.data_len]),
			BigInt(data.length),
			...data,
		];
		// An offset in the upper half of the field is negative. It points to values before the data.
		const end = ({ data_offset: offset, data_len: length }: OlderCall) =>
			(offset > PRIME / 2n ? offset - PRIME : offset) + length;
		const areInside = calls.every((one) => one.data_len === 0n || end(one) <= BigInt(data.length));
		return calls.length > 1 && areInside && String(again) === String(calldata);
	} catch {
		return false;
	}
}

/** Returns the calls as the reference client decodes them. Returns undefined if it cannot decode them. */
export function judgeCalls(calldata: readonly bigint[]) {
	const [calls] = (decode('__execute__', [CALLS], calldata) ?? []) as [
		ReadonlyArray<{ to: bigint; selector: bigint; calldata: bigint[] }>?,
	];
	return calls?.map(({ to, selector, calldata: felts }) => {
		const name = NAMES.get(selector);
		if (name === undefined) return { to, name, values: undefined };
		const types = TOKEN_ARGUMENTS[name] ?? [];
		const values = decode(name, types, felts);
		const areAddresses = values?.every(
			(one, at) => types[at] !== ADDRESS || BigInt(String(one)) < NO_ADDRESS,
		);
		return { to, name, values: areAddresses === true ? values : undefined };
	});
}
