import {
	NodeOperationError,
	type INodeProperties,
	type INodePropertyCollection,
} from 'n8n-workflow';
import { isUnfilled, loadNodes, names, panelsOf, type Panel } from './support/panels.mts';

beforeAll(loadNodes);

/** An AI agent cannot make up these values, because it gets them from another node or program. */
const GIVEN_FIELDS = [
	'authorization',
	'bytecode',
	'paymentRequired',
	'prepared',
	'signedMessage',
	'signedTransaction',
	'transaction',
	'transfer',
];
const SOURCE_PATTERN =
	/\b(gives it|built|input binary field|from (Chain|HTTP Request|Prepare|the (compiler|operation|signer)))\b/;

/** The fields for which n8n's editor shows further fields, one for each argument of the chosen function or method. */
const DRAWN_FIELDS = ['argumentsBy', 'requestFields'];
/** The fields for files, which an AI agent gets from its user. */
const FILE_FIELDS = ['descriptorSet', 'protoFiles'];

const isGiven = ({ name, displayName, required }: INodeProperties) =>
	(required && GIVEN_FIELDS.includes(name)) || displayName === 'Input Binary Field';

/** Returns the example in a field's placeholder or hint, if there is one. */
function findExample({ placeholder, hint, modes = [] }: INodeProperties): string | undefined {
	const texts = [placeholder, ...modes.map((mode) => mode.placeholder), hint];
	const examples = texts.map((text) => /^e\.g\. (.*?)(?: or |\. [A-Z]|$)/.exec(text ?? '')?.[1]);
	return examples.find((example) => example !== undefined);
}

/** Fills a required field as an AI agent would, from the field's own texts alone. */
function fillAsAgent(property: INodeProperties): unknown {
	const { type, required, hint = '', default: usual } = property;
	if (type === 'fixedCollection') return buildEntry(property);
	const isNeeded = required || /\b(needed|required)\b/i.test(hint);
	if (!isNeeded || !(isUnfilled(usual) || usual === '[]')) return undefined;
	const example = findExample(property);
	return type === 'resourceLocator' ? { mode: 'id', value: example } : example;
}

function buildEntry({ options = [] }: INodeProperties): unknown {
	const [group] = options as INodePropertyCollection[];
	const values = group!.values.map((one) => [one.name, fillAsAgent(one) ?? one.default]);
	return { [group!.name]: [Object.fromEntries(values)] };
}

/** Lists the forms of a node's operations in which an AI agent can make up the values of all fields. */
function fillablePanelsOf(name: string): Panel[] {
	const other = [...DRAWN_FIELDS, ...FILE_FIELDS];
	return panelsOf(name).filter(
		({ fields }) => !fields.some((one) => isGiven(one) || other.includes(one.name)),
	);
}

describe.each(names)('an agent that knows of %s only what its fields say', (name) => {
	test('fills in every operation so that the service is asked, or a rule of the signer', async () => {
		for (const panel of fillablePanelsOf(name)) {
			const { failure } = await panel.run(fillAsAgent);
			const refusal = failure instanceof NodeOperationError ? failure.message : '';
			expect({ ...panel.stored, refusal }).toEqual({
				...panel.stored,
				refusal: expect.stringMatching(/^(The rule .*)?$/),
			});
		}
	});

	test('reads where a value comes from that it cannot make up', () => {
		for (const { stored, fields } of panelsOf(name)) {
			for (const { name: field, description = '', hint = '' } of fields.filter(isGiven)) {
				expect({ ...stored, field, says: `${description} ${hint}` }).toEqual({
					...stored,
					field,
					says: expect.stringMatching(SOURCE_PATTERN),
				});
			}
		}
	});
});
