import type {
	FieldType,
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { isLocator } from '../core/operation/locator';
import { catching, InvalidValue, isBlank } from '../core/values/parse';
import { abiParser, type Abi } from '../core/evm/abi/abi';
import { getFunction, findOnlyFunction } from '../core/evm/abi/call';
import type { AbiParameter } from '../core/evm/abi/composed';
import { formatAbiItem, type AbiFunction } from '../core/evm/abi/entry';
import { buildNotice } from './argumentFields';

/** These methods serve n8n's editor while a user fills in the fields in `functionFields`. */
export const functionEditor = {
	loadOptions: { functions: loadFunctions },
	resourceMapping: { argumentFields: loadArgumentFields },
};

/** Without this option, the editor shows the empty menu in red. */
const NO_FUNCTIONS_YET: INodePropertyOptions = {
	name: 'Fill in the Fields Above First',
	value: '',
};

/**
 * Lists the functions of the ABI. A function is chosen by its name if that is unique, and otherwise by its
 * signature.
 */
export async function loadFunctions(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const abi = parseTypedAbi(this);
	if (abi instanceof InvalidValue) return [NO_FUNCTIONS_YET];
	const only = findOnlyFunction(abi);
	if (only) return [buildOnlyOption(only, this)];
	const names = abi.functions.map(({ name }) => name);
	return abi.functions.map((one) => {
		const isAlone = names.indexOf(one.name) === names.lastIndexOf(one.name);
		return { name: formatAbiItem(one), value: isAlone ? one.name : one.signature };
	});
}

/**
 * Makes the menu entry of the only function. The entry takes the stored value if that names the function, because
 * the editor shows unknown values in red.
 */
function buildOnlyOption(only: AbiFunction, context: ILoadOptionsFunctions): INodePropertyOptions {
	const chosen = context.getCurrentNodeParameter('functionName');
	const isNamed = chosen === only.name || chosen === only.signature;
	return { name: `${formatAbiItem(only)}, the only one`, value: isNamed ? chosen : '' };
}

/** Lists an input field for each argument of the chosen function. */
export async function loadArgumentFields(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	if (this.getCurrentNodeParameter('kind') === 'deployment') return buildConstructorFields(this);
	if (isBlank(getDeclared(this))) {
		return buildNotice('Enter a function, and a field for each of its arguments appears here.');
	}
	const abi = parseTypedAbi(this);
	if (abi instanceof InvalidValue) return buildNotice(`Function must be ${abi.message}.`);
	const name = this.getCurrentNodeParameter('functionName');
	if (isBlank(name) && abi.functions.length > 1) {
		return buildNotice('Choose a function, and a field for each of its arguments appears here.');
	}
	const called = catching(InvalidValue, () => getFunction(abi, name));
	if (called instanceof InvalidValue)
		return buildNotice(`Function Name must be ${called.message}.`);
	return buildFunctionFields(called);
}

export function buildFunctionFields({ name, inputs }: AbiFunction): ResourceMapperFields {
	return inputs.length === 0
		? buildNotice(`${name} takes no arguments.`)
		: { fields: inputs.map(buildArgumentField) };
}

function buildConstructorFields(context: ILoadOptionsFunctions): ResourceMapperFields {
	const given = getDeclared(context);
	if (isBlank(given))
		return buildNotice('A field for each argument of the constructor appears here.');
	const abi = catching(InvalidValue, () => abiParser('constructor')(given));
	if (abi instanceof InvalidValue) return buildNotice(`Constructor must be ${abi.message}.`);
	const { inputs } = abi.constructors[0] ?? { inputs: [] };
	return inputs.length === 0
		? buildNotice('The constructor takes no arguments.')
		: { fields: inputs.map(buildArgumentField) };
}

function parseTypedAbi(context: ILoadOptionsFunctions): Abi | InvalidValue {
	return catching(InvalidValue, () => abiParser('function')(getDeclared(context)));
}

/** Gives the text in the field `function`, which was chosen from a list or written by hand. */
export function getDeclared(context: ILoadOptionsFunctions): unknown {
	const given: unknown = context.getCurrentNodeParameter('function');
	return isLocator(given) ? given.value : given;
}

/** Integers are given as text, because a number in the editor loses digits. An empty text is a valid argument. */
function buildArgumentField({ key, type }: AbiParameter): ResourceMapperField {
	const isBoolean = type.form === 'boolean';
	const fieldType: FieldType = isBoolean ? 'boolean' : 'string';
	return {
		id: key,
		displayName: `${key} (${type.name})`,
		required: type.form !== 'text' && !isBoolean,
		defaultMatch: false,
		display: true,
		type: fieldType,
	};
}
