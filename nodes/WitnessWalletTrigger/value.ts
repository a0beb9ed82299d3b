import type { FollowedChain } from '../core/chain/follow';
import type { RestReader } from '../core/chain/reader';
import { followValue, type ValuePosition } from '../core/chain/watchedValue';
import { findAbiOutput } from '../core/evm/abi/outputs';
import type { Params } from '../core/operation/field';
import { showWhile } from '../core/operation/sharedFields';
import { triggerEvent } from '../core/trigger/triggerEvent';
import { toWitnessAbi } from '../core/witness/abi';
import { parseWitnessAccount } from '../core/witness/address';
import { createValueReader, type WitnessMeasure } from '../core/witness/watchedValues';
import {
	functionNames,
	functionOrAbi,
	parseFunctionChoice,
	parseGivenAbi,
} from '../fields/functionFields';
import {
	formatContractMeasure,
	getConditionChoices,
	conditionFields,
	measureField,
	readCondition,
	resultFields,
} from '../fields/valueFields';
import { createAddressFields } from '../fields/addressFields';
import { TOKEN_NAME } from '../fields/tokenNames';

const addressField = createAddressFields(
	'e.g. THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC',
	parseWitnessAccount,
);

const fields = [
	measureField('coinBalance', 'functionResult', 'tokenBalance'),
	...showWhile({ measure: ['coinBalance', 'tokenBalance'] }, [
		addressField('Address', 'address', 'The account or contract whose balance to watch'),
	] as const),
	...showWhile({ measure: ['tokenBalance'] }, [
		addressField('Token', TOKEN_NAME, 'The contract address of the TRC-20 token'),
	] as const),
	...showWhile({ measure: ['functionResult'] }, [
		addressField('Contract', 'contract', 'The contract that is asked'),
		functionOrAbi,
		...functionNames,
		...resultFields,
	] as const),
	...conditionFields,
] as const;

interface ValueSource {
	readonly reader: RestReader;
}

export const value = triggerEvent<typeof fields, ValueSource, FollowedChain<ValuePosition>>({
	name: 'Value',
	action: 'On value beyond threshold (low balance)',
	description:
		"Starts the workflow when a balance or a function's result falls below or rises above a threshold, or changes by a given amount",
	fields,
	getChoices: (p) => [
		'value',
		formatContractMeasure(readMeasure(p)),
		...getConditionChoices(readCondition(p)),
	],
	createView: (p, { reader }) => {
		const measure = readMeasure(p);
		const watched = { measure: measure.kind, condition: readCondition(p) };
		return followValue(createValueReader(reader, measure), watched);
	},
});

function readMeasure(p: Params<typeof fields>): WitnessMeasure {
	const { measure: kind, address = '', token = '', contract = '' } = p;
	if (kind === 'coinBalance') return { kind, address };
	if (kind === 'tokenBalance') return { kind, address, token };
	const { function: abi, arguments: args, functionName, output: wanted = '', decimals = 0 } = p;
	const declared = toWitnessAbi(parseGivenAbi(abi, functionName ?? ''));
	const called = parseFunctionChoice(declared, functionName);
	const output = findAbiOutput(called, wanted);
	return { kind, contract, called, errors: declared.errors, args, output, decimals };
}
