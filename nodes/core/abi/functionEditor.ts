import type {
	FieldType,
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { attempt, InvalidValue, isBlank } from '../values/read';
import { abiWith, type Abi } from './abi';
import { functionOf, onlyFunction } from './call';
import type { Parameter } from './composed';
import { described, type AbiFunction } from './entry';

/** What the editor asks for while a function is typed into `functionFields`. */
export const functionEditor = {
	loadOptions: { functions },
	resourceMapping: { argumentFields },
};

/** Without it, the editor shows the empty menu in red. */
const NONE_YET: INodePropertyOptions = { name: 'Nothing to Choose From Yet', value: '' };

/** The functions of the ABI; those that have their name alone go by it. */
async function functions(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const abi = typedAbi(this);
	if (abi instanceof InvalidValue) return [NONE_YET];
	const only = onlyFunction(abi);
	if (only) return [onlyChoice(only, this)];
	const names = abi.functions.map(({ name }) => name);
	return abi.functions.map((one) => {
		const isAlone = names.indexOf(one.name) === names.lastIndexOf(one.name);
		return { name: described(one), value: isAlone ? one.name : one.signature };
	});
}

/** It is chosen already: with the value that is there, if that means it. The editor shows any other one in red. */
function onlyChoice(only: AbiFunction, context: ILoadOptionsFunctions): INodePropertyOptions {
	const chosen = context.getCurrentNodeParameter('functionName');
	const isNamed = chosen === only.name || chosen === only.signature;
	return { name: `${described(only)}, the only one`, value: isNamed ? chosen : '' };
}

/** A field for each argument of the function. */
async function argumentFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	if (this.getCurrentNodeParameter('kind') === 'deployment') return constructorFields(this);
	if (isBlank(this.getCurrentNodeParameter('function'))) {
		return nothing('Enter a function, and a field for each of its arguments appears here.');
	}
	const abi = typedAbi(this);
	if (abi instanceof InvalidValue) return nothing(`Function must be ${abi.message}.`);
	const name = this.getCurrentNodeParameter('functionName');
	if (isBlank(name) && abi.functions.length > 1) {
		return nothing('Choose a function, and a field for each of its arguments appears here.');
	}
	const called = attempt(InvalidValue, () => functionOf(abi, name));
	if (called instanceof InvalidValue) return nothing(`Function Name must be ${called.message}.`);
	if (called.inputs.length === 0) return nothing(`${called.name} takes no arguments.`);
	return { fields: called.inputs.map(argumentField) };
}

function constructorFields(context: ILoadOptionsFunctions): ResourceMapperFields {
	const given = context.getCurrentNodeParameter('function');
	if (isBlank(given)) return nothing('A field for each argument of the constructor appears here.');
	const abi = attempt(InvalidValue, () => abiWith('constructor')(given));
	if (abi instanceof InvalidValue) return nothing(`Constructor must be ${abi.message}.`);
	const { inputs } = abi.constructors[0] ?? { inputs: [] };
	return inputs.length === 0
		? nothing('The constructor takes no arguments.')
		: { fields: inputs.map(argumentField) };
}

function typedAbi(context: ILoadOptionsFunctions): Abi | InvalidValue {
	return attempt(InvalidValue, () =>
		abiWith('function')(context.getCurrentNodeParameter('function')),
	);
}

function nothing(emptyFieldsNotice: string): ResourceMapperFields {
	return { fields: [], emptyFieldsNotice };
}

/** Integers are text, because a number of the editor loses digits; empty text is an argument like any other. */
function argumentField({ key, type }: Parameter): ResourceMapperField {
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
