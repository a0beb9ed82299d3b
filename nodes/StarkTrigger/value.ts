import type { FollowedChain } from '../core/chain/follow';
import type { RpcReader } from '../core/chain/reader';
import { followValue, type ValuePosition } from '../core/chain/watchedValue';
import type { Field, Params } from '../core/operation/field';
import { showWhile } from '../core/operation/sharedFields';
import type { Acceptance } from '../core/stark/heads';
import { createValueReader, type StarkMeasure } from '../core/stark/watchedValues';
import { triggerEvent } from '../core/trigger/triggerEvent';
import { InvalidValue, parseText, type Parse } from '../core/values/parse';
import { raise } from '../core/errors/raise';
import { abi, accountField, addressField, contract } from '../fields/starkFields';
import {
	formatMeasure,
	getConditionChoices,
	conditionFields,
	measureField,
	readCondition,
	resultFields,
} from '../fields/valueFields';
import { TOKEN_NAME } from '../fields/tokenNames';

const parseName: Parse<string> = (given) => {
	const name = parseText(given);
	return name === '' ? raise(new InvalidValue('the name of a function')) : name;
};

const functionName = {
	displayName: 'Function',
	name: 'function',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. total_supply',
	description: 'The name of the function whose result to watch',
	parse: parseName,
} as const satisfies Field;

const fields = [
	measureField('coinBalance', 'functionResult', 'tokenBalance'),
	...showWhile({ measure: ['coinBalance', 'tokenBalance'] }, [
		accountField('Address', 'address', 'The account or contract whose balance to watch'),
	] as const),
	...showWhile({ measure: ['tokenBalance'] }, [
		addressField('Token', TOKEN_NAME, 'The contract address of the ERC-20 token'),
	] as const),
	...showWhile({ measure: ['functionResult'] }, [
		contract,
		abi,
		functionName,
		...resultFields,
	] as const),
	...conditionFields,
] as const;

/** The reader of the node, and how final a block must be before a value is read in it. */
interface ValueSource {
	readonly reader: RpcReader;
	readonly until: Acceptance;
}

export const value = triggerEvent<typeof fields, ValueSource, FollowedChain<ValuePosition>>({
	name: 'Value',
	action: 'On value beyond threshold (low balance)',
	description:
		"Starts the workflow when a balance or a function's result falls below or rises above a threshold, or changes by a given amount",
	fields,
	getChoices: (p) => ['value', formatChosen(p), ...getConditionChoices(readCondition(p))],
	createView: (p, { reader, until }) => {
		const measure = readMeasure(p);
		const watched = { measure: measure.kind, condition: readCondition(p) };
		return followValue(createValueReader(reader, measure, until), watched);
	},
});

function readMeasure(p: Params<typeof fields>): StarkMeasure {
	const { measure: kind, address = 0n, token = 0n, contract: called = 0n } = p;
	if (kind === 'coinBalance') return { kind, address };
	if (kind === 'tokenBalance') return { kind, address, token };
	const { function: name = '', output = '', decimals = 0, arguments: args, abi: given } = p;
	return { kind, contract: called, abi: given, functionName: name, args, output, decimals };
}

/** Formats the chosen value without the ABI: with another ABI of the contract, it is still the same value. */
function formatChosen(p: Params<typeof fields>): string {
	return formatMeasure({ ...readMeasure(p), abi: undefined });
}
