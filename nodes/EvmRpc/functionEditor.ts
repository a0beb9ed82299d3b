import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	ResourceMapperFields,
} from 'n8n-workflow';
import { listChoices, type Choice } from '../core/chain/editorList';
import { openEditorChain } from '../core/chain/editorReader';
import { formatInOneLine, InvalidInput } from '../core/errors/invalidInput';
import { declareFunction, formatAbiItem, type AbiFunction } from '../core/evm/abi/entry';
import { readFoundContract } from '../core/evm/contracts/describe';
import type { MetadataSource } from '../core/evm/contracts/metadata';
import { createStreamOpener } from '../core/net/http/fileStream';
import { Stop } from '../core/net/pacing/stop';
import { getCredentialTypeFor } from '../core/nodeCredentials';
import { pathField } from '../core/operation/path';
import { catching, isBlank, isRecord, parseField } from '../core/values/parse';
import { buildNotice } from '../fields/argumentFields';
import {
	buildFunctionFields,
	getDeclared,
	loadArgumentFields,
	loadFunctions,
} from '../fields/functionEditor';
import { parseGivenFunction } from '../fields/functionFields';
import { DEFAULT_MAX_MEGABYTES } from './contract/describe';
import { editorGateway, to as toField } from './contract/fields';
import { createShared } from '../core/net/pacing/shared';

/**
 * These methods serve n8n's editor while a user chooses a function. They read the contract's functions from the
 * chain.
 */
export const functionEditor = {
	listSearch: { functions: searchFunctions },
	loadOptions: { functions: loadFunctions },
	resourceMapping: { argumentFields: loadChosenArguments },
};

async function searchFunctions(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await listChoices(this, filter, async () => {
		if (isBlank(this.getCurrentNodeParameter(toField.name)))
			throw new InvalidInput(
				"'Contract' is required: enter it, and this list shows the contract's functions",
			);
		const functions = await readNamedFunctions(this);
		if (functions.length === 0) throw noNamesError();
		return nameFunctions(functions, this.getCurrentNodeParameter('kind') === 'contractFunction');
	});
}

/**
 * Makes a menu entry of each function. Its value is the whole declaration, so that a running workflow needs neither
 * the ABI nor a gateway.
 */
function nameFunctions(functions: readonly AbiFunction[], isChanging: boolean): Choice[] {
	const rank = ({ isView }: AbiFunction) => Number(isView === isChanging);
	const ordered = [...functions].sort((one, other) => rank(one) - rank(other));
	return ordered.map((one) => ({ name: formatAbiItem(one), value: declareFunction(one) }));
}

function noNamesError(): InvalidInput {
	return new InvalidInput(
		"The names of the contract's functions could not be found",
		"Set 'Gateway' in the options to look them up on IPFS, or enter the function's declaration.",
	);
}

/** Lists an input field for each argument of the chosen function. */
async function loadChosenArguments(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const given = (name: string) => this.getCurrentNodeParameter(name);
	const declared = given('functionName');
	const isDeclared = isBlank(getDeclared(this)) && typeof declared === 'string' && declared !== '';
	if (given('kind') === 'deployment' || !isDeclared) return await loadArgumentFields.call(this);
	const called = catching(InvalidInput, () => parseGivenFunction(undefined, declared));
	return called instanceof InvalidInput
		? buildNotice(`${formatInOneLine(called)}.`)
		: buildFunctionFields(called);
}

const path = pathField('/');

async function readNamedFunctions(context: ILoadOptionsFunctions): Promise<AbiFunction[]> {
	const given = (name: string) => context.getCurrentNodeParameter(name);
	const contract = parseField(toField.displayName, given('to'), toField.parse);
	const reader = await openEditorChain(
		context,
		getCredentialTypeFor(given('authentication')),
		parseField(path.displayName, given('path') ?? path.default, path.parse),
	);
	const { functions } = await readFoundContract(reader, contract, openSource(context));
	return functions.flatMap(({ declared }) => declared ?? []);
}

function openSource(context: ILoadOptionsFunctions): MetadataSource | undefined {
	const options: unknown = context.getCurrentNodeParameter('options');
	const given = isRecord(options) ? options.gateway : undefined;
	const gateway = parseField(editorGateway.displayName, given, editorGateway.parse);
	return gateway === undefined
		? undefined
		: {
				openStream: createStreamOpener(context, new Stop()),
				gateway,
				maxMegabytes: DEFAULT_MAX_MEGABYTES,
				shared: createShared(),
			};
}
