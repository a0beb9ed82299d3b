import type {
	FieldType,
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { attempt, InvalidValue, isBlank } from '../values/read';
import { abiWith, type Abi } from './abi';
import { functionOf } from './call';
import type { Parameter } from './composed';
import { described } from './entry';

/** What the editor asks for while a function is typed into `functionFields`. */
export const functionEditor = {
	loadOptions: { functions },
	resourceMapping: { argumentFields },
};

/** Where nothing has to be chosen: without them, the editor shows the empty menu in red. */
const THE_ONLY_ONE: INodePropertyOptions = { name: 'The Only One', value: '' };
const NONE_YET: INodePropertyOptions = { name: 'Enter a Function First', value: '' };

/** The functions of the ABI; those that have their name alone go by it. */
async function functions(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const abi = typedAbi(this);
	if (abi instanceof InvalidValue) return [NONE_YET];
	const names = abi.functions.map(({ name }) => name);
	const choices = abi.functions.map((one) => {
		const isOnly = names.indexOf(one.name) === names.lastIndexOf(one.name);
		return { name: described(one), value: isOnly ? one.name : one.signature };
	});
	return choices.length === 1 ? [THE_ONLY_ONE, ...choices] : choices;
}

/** A field for each argument of the function. */
async function argumentFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	if (isBlank(this.getCurrentNodeParameter('function'))) {
		return nothing('Enter a function, and a field for each of its arguments appears here.');
	}
	const abi = typedAbi(this);
	if (abi instanceof InvalidValue) return nothing(`Function must be ${abi.message}.`);
	const name = this.getCurrentNodeParameter('functionName');
	const called = attempt(InvalidValue, () => functionOf(abi, name));
	if (called instanceof InvalidValue) return nothing(`Function Name must be ${called.message}.`);
	if (called.inputs.length === 0) return nothing(`${called.name} takes no arguments.`);
	return { fields: called.inputs.map(argumentField) };
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
