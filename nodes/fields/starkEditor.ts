import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { openEditorChain } from '../core/chain/editorReader';
import { getCredentialTypeFor } from '../core/nodeCredentials';
import { methodPrefix } from '../core/operation/methodPrefix';
import type { StarkAbi } from '../core/stark/abi/abi';
import { readContractAbi } from '../core/stark/contracts';
import { createStarkNode } from '../core/stark/reader';
import { isBlank, isRecord, parseField } from '../core/values/parse';
import { abi as abiField, contract as contractField, path as pathField } from './starkFields';

/** Tells whether the user has entered a contract or an ABI, which the editor's lists need. */
export function hasContract(context: ILoadOptionsFunctions): boolean {
	return ['contract', 'abi'].some((name) => !isBlank(context.getCurrentNodeParameter(name)));
}

/**
 * Reads the ABI that the user gave, or else the ABI on the chain. The path of the node is a field of its own in
 * operations, and one of the options in triggers.
 */
export async function readChosenAbi(context: ILoadOptionsFunctions): Promise<StarkAbi> {
	const given = (name: string) => context.getCurrentNodeParameter(name);
	const typed = parseField(abiField.displayName, given('abi'), abiField.parse);
	if (typed) return typed;
	const contract = parseField(contractField.displayName, given('contract'), contractField.parse);
	const chosen: unknown = given('options');
	const options = isRecord(chosen) ? chosen : {};
	const path = parseField(
		pathField.displayName,
		given('path') ?? options.path ?? pathField.default,
		pathField.parse,
	);
	const chain = await openEditorChain(context, getCredentialTypeFor(given('authentication')), path);
	const prefix = options.methodPrefix ?? methodPrefix.default;
	const reader = createStarkNode(
		chain,
		parseField(methodPrefix.displayName, prefix, methodPrefix.parse),
	);
	return await readContractAbi(reader, contract);
}
