import type { RpcReader } from '../core/chain/reader';
import { InvalidInput } from '../core/errors/invalidInput';
import { RequestFailure } from '../core/errors/requestFailure';
import type { Field } from '../core/operation/field';
import { optionsField } from '../core/operation/transportOptions';
import type { BlockId } from '../core/stark/blocks';
import { buildUnsignedInvoke } from '../core/stark/invoke';
import { createStarkNode, readMinorVersion } from '../core/stark/reader';
import { formatSimulation } from '../core/stark/trace';
import { invalidResponseError } from '../core/net/responses/response';
import { rpcOperation } from '../core/protocols/rpc/operation';
import { listParser } from '../core/values/json';
import { safeIntegerParser } from '../core/values/numbers';
import { isRecord, parseText, rethrow, InvalidValue } from '../core/values/parse';
import { methodPrefix } from '../core/operation/methodPrefix';
import { buildTransaction, parseFelt, transactionFields } from './transactionFields';
import { callFields, inputMode, senderAddress, transactions } from './transactions';
import { raise } from '../core/errors/raise';
import { readCalls } from '../fields/starkFields';

const blockBy = {
	displayName: 'Block By',
	name: 'blockBy',
	type: 'options',
	default: 'tag',
	description: 'How to choose the block after which to simulate',
	options: [
		{ name: 'Hash', value: 'hash' },
		{ name: 'Number', value: 'number' },
		{ name: 'Tag', value: 'tag' },
	],
} as const satisfies Field;

const blockTag = {
	displayName: 'Block Tag',
	name: 'blockTag',
	type: 'options',
	default: 'latest',
	description:
		'The block after which to simulate. Newer chain nodes accept L1 Accepted and Pre-Confirmed, older chain nodes accept Pending.',
	options: [
		{ name: 'L1 Accepted', value: 'l1_accepted' },
		{ name: 'Latest', value: 'latest' },
		{ name: 'Pending', value: 'pending' },
		{ name: 'Pre-Confirmed', value: 'pre_confirmed' },
	],
	show: { blockBy: ['tag'] },
} as const satisfies Field;

const blockNumber = {
	displayName: 'Block Number',
	name: 'blockNumber',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 650000',
	description: 'The number of the block, decimal or 0x-hex',
	show: { blockBy: ['number'] },
	parse: safeIntegerParser(0),
} as const satisfies Field;

const blockHash = {
	displayName: 'Block Hash',
	name: 'blockHash',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x03b2711fe29eba45f2a0250c34901d15e37b495599fac1a74960a09cc83e1234',
	description: 'The hash of the block',
	show: { blockBy: ['hash'] },
	parse: parseFelt,
} as const satisfies Field;

const simulationFlags = {
	displayName: 'Simulation Flags',
	name: 'simulationFlags',
	type: 'multiOptions',
	default: [],
	description:
		'Which steps the simulation skips. If Input Mode is Calls, signatures are never checked. A fee is then charged only if you choose Skip Validate, but not Skip Fee Charge.',
	options: [
		{
			name: 'Skip Fee Charge',
			value: 'SKIP_FEE_CHARGE',
			description: 'The simulation charges no fee to the sender',
		},
		{
			name: 'Skip Validate',
			value: 'SKIP_VALIDATE',
			description: 'The simulation checks no signatures',
		},
	],
} as const satisfies Field;

const extraFlags = {
	displayName: 'Extra Flags',
	name: 'extraFlags',
	type: 'string',
	default: '',
	placeholder: 'e.g. RETURN_INITIAL_READS',
	description:
		'The names of flags (switches) that Simulation Flags does not offer: comma-separated, or an array',
	parse: listParser((given) => {
		const flag = parseText(given);
		return /^[A-Z][A-Z0-9_]*$/.test(flag)
			? flag
			: raise(new InvalidValue('a list of flags such as SKIP_VALIDATE'));
	}),
} as const satisfies Field;

/** Simplify is off by default in the input modes that are older than it: old workflows still get the raw answer. */
const simplify = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: false,
	description: 'Whether to return a simplified version of the response instead of the raw data',
	show: { inputMode: ['fields', 'json'] },
} as const satisfies Field;

const simplifyCalls = {
	...simplify,
	default: true,
	show: { inputMode: ['calls'] },
} as const satisfies Field;

export const simulate = rpcOperation({
	name: 'Simulate',
	action: 'Simulate transactions',
	description: 'See what transactions would do. Nothing is executed on the network.',
	fields: [
		blockBy,
		blockTag,
		blockNumber,
		blockHash,
		inputMode,
		transactions,
		transactionFields,
		senderAddress,
		...callFields,
		simulationFlags,
		simplify,
		simplifyCalls,
		optionsField([extraFlags, methodPrefix]),
	],
	async *run(p, chain) {
		const reader = createStarkNode(chain, p.options.methodPrefix ?? methodPrefix.default);
		const block = buildBlockSelector(p);
		const asked = await buildSimulation(reader, p, block);
		const flags = new Set([...asked.flags, ...p.simulationFlags, ...(p.options.extraFlags ?? [])]);
		const params = [block, asked.transactions, [...flags]];
		const answer = await reader.call('simulateTransactions', params, { id: 0 });
		for (const result of parseSimulationResults(answer))
			yield p.simplify ? await formatSimulation(reader, result) : result;
	},
});

interface SimulationInputs {
	readonly transactions?: readonly object[];
	readonly transactionFields?: ReadonlyArray<Parameters<typeof buildTransaction>[0]>;
	readonly senderAddress?: bigint;
	readonly callFields?: Parameters<typeof readCalls>[0]['callFields'];
	readonly calls?: unknown;
	readonly simulationFlags: readonly string[];
}

interface AskedSimulation {
	readonly transactions: readonly object[];
	readonly flags: readonly string[];
}

async function buildSimulation(
	reader: RpcReader,
	p: SimulationInputs,
	block: BlockId,
): Promise<AskedSimulation> {
	if (p.senderAddress !== undefined) {
		const { senderAddress: sender, callFields: rows, calls } = p;
		const given = { sender, calls: readCalls({ callFields: rows, calls }) };
		const { transaction, flags } = await buildUnsignedInvoke(reader, given, block);
		return {
			transactions: [transaction],
			flags: p.simulationFlags.length > 0 ? flags : FLAGS_OF_CALLS,
		};
	}
	const list = p.transactions ?? (await buildTransactions(reader, p.transactionFields ?? []));
	if (list.length > 0) return { transactions: list, flags: [] };
	throw new InvalidInput("'Transactions' must hold at least one transaction");
}

/** With these flags, a sender can simulate calls without a signature, and even without coins for the fee. */
const FLAGS_OF_CALLS = ['SKIP_VALIDATE', 'SKIP_FEE_CHARGE'];

/**
 * Builds the transactions. The node's version matters only for transactions of version 3, and an unknown version
 * counts as a new one.
 */
async function buildTransactions(
	reader: RpcReader,
	entries: NonNullable<SimulationInputs['transactionFields']>,
): Promise<object[]> {
	const isAsked = entries.some(({ version }) => version === '0x3');
	const minorVersion = isAsked
		? await readMinorVersion(reader).catch((failure) =>
				failure instanceof RequestFailure ? Infinity : rethrow(failure),
			)
		: Infinity;
	return entries.map((entry) => buildTransaction(entry, minorVersion));
}

interface ChosenBlock {
	readonly blockTag?: string;
	readonly blockNumber?: number;
	readonly blockHash?: string;
}

/** Selects the block by the one of three fields that is visible, because the two hidden fields have no value. */
function buildBlockSelector(chosen: ChosenBlock): BlockId {
	if (chosen.blockNumber !== undefined) return { block_number: chosen.blockNumber };
	return chosen.blockHash === undefined
		? (chosen.blockTag ?? blockTag.default)
		: { block_hash: chosen.blockHash };
}

/**
 * Parses the results. Newer nodes put the list into an object with `initial_reads`, which is copied to each result.
 */
export function parseSimulationResults(
	result: unknown,
): ReadonlyArray<Readonly<Record<string, unknown>>> {
	if (Array.isArray(result) && result.every(isRecord)) return result;
	const wrapped = isRecord(result) ? result.simulated_transactions : undefined;
	if (!isRecord(result) || !Array.isArray(wrapped) || !wrapped.every(isRecord)) {
		throw invalidResponseError('a list of simulation results', result);
	}
	return wrapped.map((one) => ({ ...one, initial_reads: result.initial_reads }));
}
