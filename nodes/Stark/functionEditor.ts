import type {
	FieldType,
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { formatInOneLine, InvalidInput } from '../core/errors/invalidInput';
import { RequestFailure } from '../core/errors/requestFailure';
import { formatSignature, getStarkFunction } from '../core/stark/abi/call';
import type { CairoParameter } from '../core/stark/abi/codec';
import { catching, InvalidValue } from '../core/values/parse';
import { buildNotice } from '../fields/argumentFields';
import { hasContract, readChosenAbi } from '../fields/starkEditor';

/** These methods serve n8n's editor while a user chooses a function of a contract. */
export const functionEditor = {
	loadOptions: { starkFunctions: loadFunctions },
	resourceMapping: { argumentFields: loadArgumentFields },
};

/** Lists the functions of the contract. Functions that only read come first. */
async function loadFunctions(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	if (!hasContract(this)) return [{ name: 'Enter a Contract First', value: '' }];
	const read = await readChosenAbi(this).catch(asKnownFailure);
	// The failure becomes an entry of the menu: if this method threw, n8n would keep the entries of the previous
	// contract.
	if (read instanceof Error)
		return [
			{ name: 'The Functions Cannot Be Read', value: '', description: formatInOneLine(read) },
		];
	const ordered = [...read.functions].sort((a, b) => Number(b.isView) - Number(a.isView));
	const choices = ordered.map((one) => ({ name: formatSignature(one), value: one.name }));
	// An empty choice needs an entry of its own, because n8n would otherwise keep showing the previous function.
	return [{ name: 'Choose a Function', value: '' }, ...choices];
}

/** Lists an input field for each argument of the chosen function. */
async function loadArgumentFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const name = this.getCurrentNodeParameter('function');
	if (!hasContract(this) || typeof name !== 'string' || name === '')
		return buildNotice(
			'Choose a contract and a function, and a field for each of its arguments appears here.',
		);
	const abi = await readChosenAbi(this).catch(asKnownFailure);
	if (abi instanceof Error) return buildNotice(formatInOneLine(abi));
	const called = catching(InvalidValue, () => getStarkFunction(abi, name));
	if (called instanceof InvalidValue) return buildNotice(`Function must be ${called.message}.`);
	return called.inputs.length === 0
		? buildNotice(`${called.name} takes no arguments.`)
		: { fields: called.inputs.map(buildArgumentField) };
}

/** Returns a failure that the user can correct, and throws any other failure. */
function asKnownFailure(failure: unknown): RequestFailure | InvalidInput {
	if (failure instanceof RequestFailure || failure instanceof InvalidInput) return failure;
	throw failure;
}

/** Integers are given as text, because a number in the editor loses digits. An empty text is a valid argument. */
function buildArgumentField({ key, type }: CairoParameter): ResourceMapperField {
	const isBoolean = type.form === 'boolean';
	const fieldType: FieldType = isBoolean ? 'boolean' : 'string';
	return {
		id: key,
		displayName: `${key} (${type.name})`,
		required: type.form === 'value',
		defaultMatch: false,
		display: true,
		type: fieldType,
	};
}
