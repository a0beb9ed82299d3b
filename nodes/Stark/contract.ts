import type { Field } from '../core/operation/field';
import { resolveBlockId } from '../core/stark/blocks';
import type { StarkAbi } from '../core/stark/abi/abi';
import { encodeCalldata, formatSignature, getStarkFunction } from '../core/stark/abi/call';
import { shortenTypeName } from '../core/stark/abi/codec';
import { formatEventSignature } from '../core/stark/abi/event';
import { callFunction, readContractAbi } from '../core/stark/contracts';
import { rpc } from '../core/transport/rpc/chain';
import { parseAs, parseText } from '../core/values/parse';
import { buildArgumentInputs, getArgumentValues } from '../fields/argumentFields';
import { abi, contract } from '../fields/starkFields';
import { openNode, options, path, stateBlock } from './fields';

/** The editor's methods find the fields by these names. */
const functionName = {
	displayName: 'Function Name or ID',
	name: 'function',
	type: 'options',
	typeOptions: {
		loadOptionsMethod: 'starkFunctions',
		loadOptionsDependsOn: ['contract', 'abi', 'path'],
	},
	required: true,
	default: '',
	placeholder: 'e.g. balance_of',
	description:
		'The function, by its name in the ABI of the contract. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	options: [],
	parse: parseText,
} as const satisfies Field;

/** The function to call and its arguments; a node with these fields has the methods of `functionEditor`. */
export const functionFields = [
	contract,
	abi,
	functionName,
	...buildArgumentInputs('contract', 'abi', 'function', 'path'),
] as const;

const call = rpc({
	name: 'Call',
	action: 'Read from a smart contract',
	description:
		'Call a function of a contract and decode what it returns, by the ABI on the chain. Nothing is written to the chain.',
	fields: [...functionFields, stateBlock, path, options],
	async *run(p, chain) {
		const node = openNode(chain, p);
		const block = await resolveBlockId(node, p.block);
		const known = p.abi ?? (await readContractAbi(node, p.contract));
		const called = parseAs('Function', p.function, (name) =>
			getStarkFunction(known, parseText(name)),
		);
		yield await callFunction(
			node,
			p.contract,
			called,
			encodeCalldata(called, getArgumentValues(called, p)),
			block,
		);
	},
});

const describe = rpc({
	name: 'Describe',
	action: 'Describe a contract',
	description: 'Get the functions and events of a contract, with what they take and give',
	fields: [contract, path, options],
	async *run(p, chain) {
		yield* describeAbi(await readContractAbi(openNode(chain, p), p.contract));
	},
});

function describeAbi({ functions, events }: StarkAbi): object[] {
	return [
		...functions.map((one) => ({
			kind: one.isView ? 'view' : 'function',
			name: one.name,
			signature: formatSignature(one),
			inputs: one.inputs.map(shortenDeclared),
			outputs: one.outputs.map(({ type }) => shortenTypeName(type)),
		})),
		...events.map((one) => ({
			kind: 'event',
			name: one.name,
			signature: formatEventSignature(one),
			inputs: one.members.map(shortenDeclared),
			outputs: [],
		})),
	];
}

function shortenDeclared({ name, type }: { readonly name: string; readonly type: string }) {
	return { name, type: shortenTypeName(type) };
}

export const contracts = { name: 'Contract', operations: { call, describe } };
