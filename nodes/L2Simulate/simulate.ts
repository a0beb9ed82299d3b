import { InvalidInput } from '../core/errors/invalidInput';
import type { Field } from '../core/operation/field';
import { rpcOptions } from '../core/operation/transportOptions';
import { throwInvalidResponse } from '../core/transport/responses/response';
import { rpc } from '../core/transport/rpc/chain';
import { listParser } from '../core/values/json';
import { safeIntegerParser } from '../core/values/numbers';
import { isRecord, throwInvalidValue, parseText } from '../core/values/parse';
import {
	parseFelt,
	buildTransaction,
	inputMode,
	transactionFields,
	transactions,
} from './transactions';

const blockBy = {
	displayName: 'Block By',
	name: 'blockBy',
	type: 'options',
	default: 'tag',
	description: 'How to name the block that the simulation starts from',
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
	description: 'Newer nodes accept L1 Accepted and Pre-Confirmed, older ones Pending',
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
	description: 'Decimal or 0x-hex',
	show: { blockBy: ['number'] },
	parse: safeIntegerParser(0),
} as const satisfies Field;

const blockHash = {
	displayName: 'Block Hash',
	name: 'blockHash',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x4f1a7e3d…',
	description: 'The hash of the block',
	show: { blockBy: ['hash'] },
	parse: parseFelt,
} as const satisfies Field;

const simulationFlags = {
	displayName: 'Simulation Flags',
	name: 'simulationFlags',
	type: 'multiOptions',
	default: [],
	description: 'What the simulation leaves out',
	options: [
		{ name: 'Skip Fee Charge', value: 'SKIP_FEE_CHARGE', description: 'Do not charge the fee' },
		{ name: 'Skip Validate', value: 'SKIP_VALIDATE', description: 'Do not check signatures' },
	],
} as const satisfies Field;

const extraFlags = {
	displayName: 'Extra Flags',
	name: 'extraFlags',
	type: 'string',
	default: '',
	placeholder: 'e.g. RETURN_INITIAL_READS',
	description: 'Further simulation flags that the node knows: comma-separated, or an array',
	parse: listParser((given) => {
		const flag = parseText(given);
		return /^[A-Z][A-Z0-9_]*$/.test(flag)
			? flag
			: throwInvalidValue('a list of flags such as SKIP_VALIDATE');
	}),
} as const satisfies Field;

const methodPrefix = {
	displayName: 'Method Prefix',
	name: 'methodPrefix',
	type: 'string',
	default: 'l2',
	placeholder: 'e.g. starknet',
	description: 'The prefix of the method name before _simulateTransactions: the name of the chain',
	parse: (given: unknown) => {
		const prefix = parseText(given);
		return /^[a-z][a-z0-9]*$/i.test(prefix)
			? prefix
			: throwInvalidValue('letters and digits, such as starknet');
	},
} as const satisfies Field;

export const simulate = rpc({
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
		simulationFlags,
		rpcOptions(extraFlags, methodPrefix),
	],
	request: (p) => {
		const list = p.transactions ?? (p.transactionFields ?? []).map(buildTransaction);
		if (list.length === 0) {
			throw new InvalidInput("'Transactions' must hold at least one transaction");
		}
		const flags = new Set([...p.simulationFlags, ...(p.options.extraFlags ?? [])]);
		return {
			path: '',
			method: `${p.options.methodPrefix ?? methodPrefix.default}_simulateTransactions`,
			params: [buildBlockSelector(p), list, [...flags]],
			id: 0,
		};
	},
	answer: parseSimulationResults,
	items: (results) => results,
});

interface ChosenBlock {
	readonly blockTag?: string;
	readonly blockNumber?: number;
	readonly blockHash?: string;
}

/** Only the visible one of the three fields has a value. */
function buildBlockSelector(chosen: ChosenBlock): string | object | undefined {
	if (chosen.blockNumber !== undefined) return { block_number: chosen.blockNumber };
	return chosen.blockHash === undefined ? chosen.blockTag : { block_hash: chosen.blockHash };
}

/** Newer nodes wrap the list to add the initial reads, which belong to each result. */
function parseSimulationResults(result: unknown): readonly object[] {
	if (Array.isArray(result) && result.every(isRecord)) return result;
	const wrapped = isRecord(result) ? result.simulated_transactions : undefined;
	if (!isRecord(result) || !Array.isArray(wrapped) || !wrapped.every(isRecord)) {
		return throwInvalidResponse('a list of simulation results', result);
	}
	return wrapped.map((one) => ({ ...one, initial_reads: result.initial_reads }));
}
