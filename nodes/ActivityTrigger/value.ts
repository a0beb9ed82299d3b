import { followValue, type ValuePosition } from '../core/chain/watchedValue';
import type { Followed } from '../core/chain/follow';
import type { RpcReader } from '../core/chain/reader';
import { parseEvmAddress } from '../core/evm/address';
import { createValueReader, findEvmOutput, type EvmMeasure } from '../core/evm/watchedValues';
import type { Field, Params } from '../core/operation/field';
import { showWhile } from '../core/operation/sharedFields';
import { triggerEvent } from '../core/trigger/triggerEvent';
import { functionNames, functionOrAbi, parseGivenFunction } from '../fields/functionFields';
import {
	getLineChoices,
	lineFields,
	measureField,
	readLine,
	resultFields,
} from '../fields/valueFields';

const ADDRESS_EXAMPLE = 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

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
		placeholder: ADDRESS_EXAMPLE,
		description,
		parse: parseEvmAddress,
	} as const satisfies Field;
}

/** It is defined apart from its field, because n8n's lint takes the name of a token for a secret. */
const TOKEN_NAME = 'token';

const fields = [
	measureField('coinBalance', 'functionResult', 'gasPrice', 'price', 'tokenBalance'),
	...showWhile({ measure: ['coinBalance', 'tokenBalance'] }, [
		addressField('Address', 'address', 'The account or contract whose balance to watch'),
	] as const),
	...showWhile({ measure: ['tokenBalance'] }, [
		addressField('Token', TOKEN_NAME, 'The contract address of the ERC-20 token'),
	] as const),
	...showWhile({ measure: ['functionResult'] }, [
		addressField('Contract', 'contract', 'The contract that is asked'),
		functionOrAbi,
		...functionNames,
		...resultFields,
	] as const),
	...showWhile({ measure: ['price'] }, [
		addressField(
			'Feed',
			'feed',
			'The contract address of the price feed, such as that of ETH / USD',
		),
	] as const),
	...lineFields,
] as const;

/** The node, and how many blocks must follow the one at which a value is read. */
interface ValueSource {
	readonly node: RpcReader;
	readonly confirmations: number;
}

export const value = triggerEvent<typeof fields, ValueSource, Followed<ValuePosition>>({
	name: 'Value',
	action: 'On value that crosses a line (balance, price)',
	description: 'When a balance, a price or a result falls below a line, rises above it, or changes',
	fields,
	getChoices: (p) => [
		'value',
		...getMeasureChoices(readMeasure(p)),
		...getLineChoices(readLine(p)),
	],
	createView: (p, { node, confirmations }) => {
		const measure = readMeasure(p);
		const reader = createValueReader(node, measure, confirmations);
		return followValue(reader, { measure: measure.kind, line: readLine(p) });
	},
});

function readMeasure(p: Params<typeof fields>): EvmMeasure {
	const { address = '', token = '', contract = '', feed = '' } = p;
	switch (p.measure) {
		case 'coinBalance':
			return { kind: p.measure, address };
		case 'tokenBalance':
			return { kind: p.measure, address, token };
		case 'functionResult': {
			const called = parseGivenFunction(p.function, p.functionName ?? '');
			const output = findEvmOutput(called, p.output ?? '');
			const { arguments: args, decimals = 0 } = p;
			return { kind: p.measure, contract, called, args, output, decimals };
		}
		case 'price':
			return { kind: p.measure, feed };
		case 'gasPrice':
			return { kind: p.measure };
	}
}

/** What of a measure makes another one: however its addresses are written. */
function getMeasureChoices(measure: EvmMeasure): ReadonlyArray<string | readonly string[]> {
	switch (measure.kind) {
		case 'coinBalance':
			return [measure.kind, [measure.address]];
		case 'tokenBalance':
			return [measure.kind, [measure.address], [measure.token]];
		case 'functionResult': {
			const { kind, contract, called, args, output, decimals } = measure;
			const call = [called.signature, JSON.stringify(args), String(output), String(decimals)];
			return [kind, [contract], ...call];
		}
		case 'price':
			return [measure.kind, [measure.feed]];
		case 'gasPrice':
			return [measure.kind];
	}
}
