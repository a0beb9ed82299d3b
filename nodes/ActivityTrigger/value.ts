import { followValue, type ValuePosition } from '../core/chain/watchedValue';
import type { FollowedChain } from '../core/chain/follow';
import type { RpcReader } from '../core/chain/reader';
import { parseEvmAddress } from '../core/evm/address';
import { findAbiOutput } from '../core/evm/abi/outputs';
import { createValueReader, type EvmMeasure } from '../core/evm/watchedValues';
import type { Params } from '../core/operation/field';
import { showWhile } from '../core/operation/sharedFields';
import { triggerEvent } from '../core/trigger/triggerEvent';
import { functionNames, functionOrAbi, parseGivenFunction } from '../fields/functionFields';
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

/** Addresses are stored in lower case, because an address may be spelled with different letter cases. */
const addressField = createAddressFields(
	'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	(given) => parseEvmAddress(given).toLowerCase(),
);

const fields = [
	measureField('coinBalance', 'functionResult', 'gasPrice', 'price', 'tokenBalance'),
	...showWhile({ measure: ['coinBalance', 'tokenBalance'] }, [
		addressField('Address', 'address', 'The account or contract whose balance to watch'),
	] as const),
	...showWhile({ measure: ['tokenBalance'] }, [
		addressField('Token', TOKEN_NAME, 'The contract address of the ERC-20 token'),
	] as const),
	...showWhile({ measure: ['functionResult'] }, [
		addressField('Contract', 'contract', 'The contract whose function is called'),
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
	...conditionFields,
] as const;

/** The node, and how many blocks must follow the block at which a value is read. */
interface ValueSource {
	readonly reader: RpcReader;
	readonly confirmations: number;
}

export const value = triggerEvent<typeof fields, ValueSource, FollowedChain<ValuePosition>>({
	name: 'Value',
	action: 'On value beyond threshold (low balance, price)',
	description:
		"Starts the workflow when a balance, a price or a contract's result falls below or rises above a threshold, or changes by a given amount",
	fields,
	getChoices: (p) => [
		'value',
		formatContractMeasure(readMeasure(p)),
		...getConditionChoices(readCondition(p)),
	],
	createView: (p, { reader, confirmations }) => {
		const measure = readMeasure(p);
		const values = createValueReader(reader, measure, confirmations);
		return followValue(values, { measure: measure.kind, condition: readCondition(p) });
	},
});

function readMeasure(p: Params<typeof fields>): EvmMeasure {
	const { measure: kind, address = '', token = '', contract = '', feed = '' } = p;
	switch (kind) {
		case 'coinBalance':
			return { kind, address };
		case 'tokenBalance':
			return { kind, address, token };
		case 'functionResult':
			return { kind, contract, ...readCall(p) };
		case 'price':
			return { kind, feed };
		case 'gasPrice':
			return { kind };
	}
}

function readCall(p: Params<typeof fields>) {
	const { function: abi, functionName = '', output = '', arguments: args, decimals = 0 } = p;
	const called = parseGivenFunction(abi, functionName);
	return { called, args, output: findAbiOutput(called, output), decimals };
}
