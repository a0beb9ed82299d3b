import type { FollowedChain } from '../core/chain/follow';
import type { RestReader } from '../core/chain/reader';
import { followValue, type ValuePosition } from '../core/chain/watchedValue';
import { encodeFunctionData } from '../core/evm/abi/call';
import { findAbiOutput } from '../core/evm/abi/outputs';
import type { Field, Params } from '../core/operation/field';
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
	formatMeasure,
	getLineChoices,
	lineFields,
	measureField,
	readLine,
	resultFields,
} from '../fields/valueFields';

function addressField<const Name extends string>(
	displayName: string,
	name: Name,
	description: string,
) {
	return {
		displayName,
		name,
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC',
		description,
		parse: parseWitnessAccount,
	} as const satisfies Field;
}

/** It is defined apart from its field, because n8n's lint takes the name of a token for a secret. */
const TOKEN_NAME = 'token';

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
	...lineFields,
] as const;

interface ValueSource {
	readonly reader: RestReader;
}

export const value = triggerEvent<typeof fields, ValueSource, FollowedChain<ValuePosition>>({
	name: 'Value',
	action: 'On value beyond threshold (low balance)',
	description: 'When a balance or a result falls below a line, rises above it, or changes',
	fields,
	getChoices: (p) => ['value', formatChosen(readMeasure(p)), ...getLineChoices(readLine(p))],
	createView: (p, { reader }) => {
		const measure = readMeasure(p);
		const watched = { measure: measure.kind, line: readLine(p) };
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

/** However the call is written. */
function formatChosen(measure: WitnessMeasure): string {
	if (measure.kind !== 'functionResult') return formatMeasure(measure);
	const { kind, contract, called, args, output, decimals } = measure;
	return formatMeasure({
		kind,
		contract,
		data: encodeFunctionData(called, args),
		output,
		decimals,
	});
}
