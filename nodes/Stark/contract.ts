import type { Field, Params } from '../core/operation/field';
import { resolveBlockId, type BlockId } from '../core/stark/blocks';
import type { StarkAbi } from '../core/stark/abi/abi';
import { encodeCalldata, formatSignature, getFunctionOfField } from '../core/stark/abi/call';
import { shortenTypeName } from '../core/stark/abi/codec';
import { formatEventSignature } from '../core/stark/abi/event';
import { callFunction, readContractAbi } from '../core/stark/contracts';
import type { DeclaredCall } from '../core/stark/invoke';
import type { RpcReader } from '../core/chain/reader';
import { rpcOperation } from '../core/protocols/rpc/operation';
import { parseText } from '../core/values/parse';
import { buildArgumentInputs, getArgumentValues } from '../fields/argumentFields';
import { abi, contract } from '../fields/starkFields';
import { openNode, prefixOptions, path, stateBlock } from './fields';

/** The name `function` must stay, because the methods of n8n's editor read the field by it. */
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
		'The function of the contract to call. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	options: [],
	parse: parseText,
} as const satisfies Field;

/**
 * The contract, the function and its arguments. A node with these fields needs the editor methods in
 * `functionEditor`.
 */
export const functionFields = [
	contract,
	abi,
	functionName,
	...buildArgumentInputs('contract', 'abi', 'function', 'path'),
] as const;

/** Encodes the chosen call. It uses the ABI that the user gave, or else the ABI on the chain. */
export async function encodeChosenCall(
	reader: RpcReader,
	p: Params<typeof functionFields>,
	block?: BlockId,
): Promise<DeclaredCall> {
	const { contract: address } = p;
	const known = p.abi ?? (await readContractAbi(reader, address, block));
	const called = getFunctionOfField(known, p.function);
	const calldata = encodeCalldata(called, getArgumentValues(called, p));
	return { contract: address, selector: called.selector, calldata, called };
}

const call = rpcOperation({
	name: 'Call',
	action: 'Read from smart contract',
	description:
		"Call a function of a contract and decode its result by the contract's ABI on the chain. Nothing is written to the chain.",
	fields: [...functionFields, stateBlock, path, prefixOptions],
	async *run(p, chain) {
		const reader = openNode(chain, p);
		const block = await resolveBlockId(reader, p.block);
		const { contract: address, called, calldata } = await encodeChosenCall(reader, p);
		yield await callFunction(reader, address, called, calldata, block);
	},
});

const describe = rpcOperation({
	name: 'Describe',
	action: 'Describe contract',
	description: 'Get the functions and events of a contract, with their inputs and outputs',
	fields: [contract, path, prefixOptions],
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
