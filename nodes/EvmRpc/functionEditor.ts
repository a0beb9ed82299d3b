import type {
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';
import { openEditorChain } from '../core/chain/editorReader';
import { formatInOneLine, InvalidInput } from '../core/errors/invalidInput';
import { RequestFailure } from '../core/errors/requestFailure';
import { declareFunction, formatAbiItem, type AbiFunction } from '../core/evm/abi/entry';
import { readFoundContract } from '../core/evm/contracts/describe';
import type { MetadataSource } from '../core/evm/contracts/metadata';
import { createStreamOpener } from '../core/net/http/fileStream';
import { Stop } from '../core/net/pacing/stop';
import { getCredentialTypeFor } from '../core/nodeCredentials';
import { pathField } from '../core/operation/path';
import { createShared } from '../core/operation/results';
import { catching, isBlank, isRecord, parseField } from '../core/values/parse';
import { buildNotice } from '../fields/argumentFields';
import { buildFunctionFields, loadArgumentFields, loadFunctions } from '../fields/functionEditor';
import { parseGivenFunction } from '../fields/functionFields';
import { DEFAULT_MAX_MEGABYTES } from './contract/describe';
import { editorGateway, to as toField } from './contract/fields';

/** Methods that the editor calls while a contract's function is chosen: where no ABI is given, it is read from the chain. */
export const functionEditor = {
	loadOptions: { functions: loadGivenOrRead },
	resourceMapping: { argumentFields: loadChosenArguments },
};

async function loadGivenOrRead(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const given = (name: string) => this.getCurrentNodeParameter(name);
	if (!isBlank(given('function'))) return await loadFunctions.call(this);
	if (isBlank(given('to'))) return [{ name: 'Enter a Contract or a Function First', value: '' }];
	const read = await readNamedFunctions(this).catch(asKnownFailure);
	// n8n would keep the choices of before if this failed.
	return read instanceof Error
		? [{ name: 'The Functions Cannot Be Read', value: '', description: formatInOneLine(read) }]
		: buildChoices(read);
}

/** A choice is the whole declaration, so that a workflow that runs needs neither the ABI nor a gateway. */
function buildChoices(functions: readonly AbiFunction[]): INodePropertyOptions[] {
	if (functions.length === 0) return [NO_NAMES];
	const ordered = [...functions].sort((a, b) => Number(b.isView) - Number(a.isView));
	const choices = ordered.map((one) => ({ name: formatAbiItem(one), value: declareFunction(one) }));
	// n8n would go on showing the words of before for no choice.
	return [{ name: 'Choose a Function', value: '' }, ...choices];
}

const NO_NAMES: INodePropertyOptions = {
	name: 'No Function Has a Name Here',
	value: '',
	description: "Set 'Gateway' in the options, or enter the function above",
};

/** Lists a field for each argument of the function. */
async function loadChosenArguments(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const given = (name: string) => this.getCurrentNodeParameter(name);
	const declared = given('functionName');
	const isDeclared = isBlank(given('function')) && typeof declared === 'string' && declared !== '';
	if (given('kind') === 'deployment' || !isDeclared) return await loadArgumentFields.call(this);
	const called = catching(InvalidInput, () => parseGivenFunction(undefined, declared));
	return called instanceof InvalidInput
		? buildNotice(`${formatInOneLine(called)}.`)
		: buildFunctionFields(called);
}

/** Returns what a user can do something about, and throws what else went wrong. */
function asKnownFailure(failure: unknown): RequestFailure | InvalidInput {
	if (failure instanceof RequestFailure || failure instanceof InvalidInput) return failure;
	throw failure;
}

const path = pathField('/');

async function readNamedFunctions(context: ILoadOptionsFunctions): Promise<AbiFunction[]> {
	const given = (name: string) => context.getCurrentNodeParameter(name);
	const contract = parseField(toField.displayName, given('to'), toField.parse);
	const chain = await openEditorChain(
		context,
		getCredentialTypeFor(given('authentication')),
		parseField(path.displayName, given('path') ?? path.default, path.parse),
	);
	const { functions } = await readFoundContract(chain, contract, openSource(context));
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
