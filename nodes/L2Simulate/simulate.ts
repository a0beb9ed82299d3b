import { invalidResponse } from '../core/answers/answer';
import type { Field } from '../core/operation/field';
import { isRecord } from '../core/values/parseJson';
import { rpc } from '../core/protocols/rpc';
import { rpcOptions } from '../core/protocols/transportOptions';
import { unfit } from '../core/values/read';
import { Refusal } from '../../credentials/refusal';
import { text } from '../core/values/basic';
import { listOf } from '../core/values/json';
import { blockBy, blockHash, blockNumber, blockSelector, blockTag } from './block';
import { fromFields, inputMode, transactionFields, transactions } from './transactions';

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
	read: listOf((given) => {
		const flag = text(given);
		return /^[A-Z][A-Z0-9_]*$/.test(flag) ? flag : unfit('a list of flags such as SKIP_VALIDATE');
	}),
} as const satisfies Field;

const methodPrefix = {
	displayName: 'Method Prefix',
	name: 'methodPrefix',
	type: 'string',
	default: 'l2',
	placeholder: 'e.g. starknet',
	description: 'The prefix of the method name before _simulateTransactions: the name of the chain',
	read: (given: unknown) => {
		const prefix = text(given);
		return /^[a-z][a-z0-9]*$/i.test(prefix)
			? prefix
			: unfit('letters and digits, such as starknet');
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
		const list = p.transactions ?? (p.transactionFields ?? []).map(fromFields);
		if (list.length === 0) throw new Refusal("'Transactions' must hold at least one transaction");
		const flags = new Set([...p.simulationFlags, ...(p.options.extraFlags ?? [])]);
		return {
			path: '',
			method: `${p.options.methodPrefix ?? methodPrefix.default}_simulateTransactions`,
			params: [blockSelector(p), list, [...flags]],
			id: 0,
		};
	},
	answer: simulationResults,
	items: (results) => results,
});

/** A list of results; newer nodes wrap it when they return what was read, which then belongs to each. */
function simulationResults(result: unknown): readonly object[] {
	if (Array.isArray(result) && result.every(isRecord)) return result;
	const wrapped = isRecord(result) ? result.simulated_transactions : undefined;
	if (!isRecord(result) || !Array.isArray(wrapped) || !wrapped.every(isRecord)) {
		return invalidResponse('a list of simulation results', result);
	}
	return wrapped.map((one) => ({ ...one, initial_reads: result.initial_reads }));
}
