import { decodeFunctionResult } from '../core/evm/abi/call';
import { DecodingError } from '../core/evm/abi/data';
import { parseFunctionChoice, encodeGivenCall, functionFields } from '../fields/functionFields';
import { RequestFailure } from '../core/errors/requestFailure';
import type { Field } from '../core/operation/field';
import { rest } from '../core/transport/rest/rest';
import { parseWitnessAccount, formatWitnessAddresses } from '../core/witness/address';
import { catching, isBlank } from '../core/values/parse';
import { toWitnessAbi } from '../core/witness/abi';
import { callConstant, ZERO_ADDRESS } from '../core/witness/constantCall';
import { options } from './fields';

const parseAccount = (given: unknown) => formatWitnessAddresses(parseWitnessAccount(given)).hex;

const contractAddress = {
	displayName: 'Contract',
	name: 'contract',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
	description: 'The address of the contract, in base58 (T…) or in hex (41…)',
	parse: parseAccount,
} as const satisfies Field;

/** It is the same parameter as that of transactions, where it is required. */
const caller = {
	displayName: 'Owner Address',
	name: 'ownerAddress',
	type: 'string',
	default: '',
	placeholder: 'e.g. THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC',
	description: 'The account that the call comes from; empty for none in particular',
	parse: (given: unknown) => (isBlank(given) ? ZERO_ADDRESS : parseAccount(given)),
} as const satisfies Field;

const call = rest({
	name: 'Call',
	action: 'Read from a smart contract',
	description:
		'Call a function of a contract and decode what it returns. Addresses are in base58. Nothing is written to the chain.',
	fields: [contractAddress, ...functionFields, caller, options],
	async *run(p, context) {
		const abi = toWitnessAbi(p.function);
		const called = parseFunctionChoice(abi, p.functionName);
		const { result, energyUsed } = await callConstant(context, {
			owner: p.ownerAddress,
			contract: p.contract,
			called,
			data: encodeGivenCall(called, p),
			errors: abi.errors,
		});
		const decoded = catching(DecodingError, () => decodeFunctionResult(called, result));
		if (decoded instanceof DecodingError) throw new RequestFailure(decoded.message);
		yield { energyUsed, ...decoded };
	},
});

export const contract = { name: 'Contract', operations: { call } };
