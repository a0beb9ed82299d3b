import { decodeFunctionResult } from '../core/evm/abi/call';
import { formatCall } from '../core/evm/abi/callText';
import { DecodingError } from '../core/evm/abi/data';
import { parseFunctionChoice, encodeGivenCall, functionFields } from '../fields/functionFields';
import { RequestFailure } from '../core/errors/requestFailure';
import type { Field, Params } from '../core/operation/field';
import { restOperation } from '../core/protocols/rest';
import { parseWitnessAccount, formatWitnessAddresses } from '../core/witness/address';
import { formatUnits, SUN_DECIMALS } from '../core/values/units';
import { catching, isBlank, parseText } from '../core/values/parse';
import { toWitnessAbi } from '../core/witness/abi';
import { callConstant, ZERO_ADDRESS } from '../core/witness/constantCall';
import { readEnergyOfCall, readOwnEnergy } from '../core/witness/energy';
import { buildCheckedCall } from '../core/witness/prepare/contractCall';
import { formatCoins } from '../core/witness/prepare/purse';
import { formatBase58, formatBuilt, formatFeeLimit } from '../core/witness/prepare/summary';
import { readPricesOnce } from '../core/witness/prices';
import { coinsAlong, feeLimit, ownerAddress, parseAddress, UNSIGNED_TEXT, visible } from './fields';

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

/** The field `ownerAddress` of operations that read a contract. It is optional for reading, and required for transactions. */
const caller = {
	displayName: 'From',
	name: 'ownerAddress',
	type: 'string',
	default: '',
	placeholder: 'e.g. THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC',
	description:
		'The account that calls the function. Empty if it does not matter which account calls.',
	parse: (given: unknown) => (isBlank(given) ? ZERO_ADDRESS : parseAccount(given)),
} as const satisfies Field;

/** Encodes the call of the chosen function, and gives the errors that the contract's ABI declares. */
function encodeCall(p: Params<typeof functionFields>) {
	const abi = toWitnessAbi(p.function);
	const called = parseFunctionChoice(abi, p.functionName);
	return { called, data: encodeGivenCall(called, p), errors: abi.errors };
}

const call = restOperation({
	name: 'Call',
	action: 'Read from smart contract',
	description:
		'Call a function of a contract and decode its result. Addresses are in base58. Nothing is written to the chain.',
	fields: [caller, contractAddress, ...functionFields],
	async *run(p, context) {
		const { ownerAddress: owner, contract } = p;
		const encoded = encodeCall(p);
		const { result, energyUsed } = await callConstant(context, { owner, contract, ...encoded });
		const decoded = catching(DecodingError, () => decodeFunctionResult(encoded.called, result));
		if (decoded instanceof DecodingError) throw new RequestFailure(decoded.message);
		yield { energyUsed, ...decoded };
	},
});

/** The field `contract` for transactions. Its text is parsed later, in the form that the field `visible` sets. */
const calledContract = {
	...contractAddress,
	description: 'The address of the contract',
	parse: parseText,
} as const satisfies Field;

const [anyFunction, ...chosenFunction] = functionFields;

/** The field `function` for transactions, with an example of a function that changes something. */
const changingFunction = {
	...anyFunction,
	placeholder: 'e.g. transfer(address to, uint256 amount)',
} as const satisfies Field;

const buildCall = restOperation({
	name: 'Build Call',
	action: 'Build call of smart contract',
	description: `Build a transaction that calls a function of a contract and can also send coins. A call that would fail is refused with its reason. ${UNSIGNED_TEXT}`,
	fields: [
		ownerAddress,
		calledContract,
		changingFunction,
		...chosenFunction,
		coinsAlong,
		feeLimit,
		visible,
	],
	async *run(p, context) {
		const owner = parseAddress('From', p.ownerAddress, p.visible);
		const contract = parseAddress('Contract', p.contract, p.visible);
		const { amount, feeLimit, visible } = p;
		const called = { owner, contract, ...encodeCall(p) };
		const built = await buildCheckedCall(context, { ...called, amount, feeLimit, visible });
		const spelt = formatCall(called.called, called.data.slice(called.called.selector.length));
		const along = amount > 0n ? ` with ${formatCoins(amount)} along` : '';
		yield formatBuilt(
			built,
			`Call ${spelt} of the contract ${formatBase58(contract)}${along}, ${formatFeeLimit(feeLimit)}`,
		);
	},
});

const estimateEnergy = restOperation({
	name: 'Estimate Energy',
	action: 'Estimate energy of call',
	description:
		'Estimate how much energy a call takes, how much of this the account has, and what the rest costs today in coins. Nothing is written to the chain.',
	fields: [caller, contractAddress, ...functionFields, coinsAlong],
	async *run(p, context) {
		const { ownerAddress: owner, contract, amount } = p;
		const [energy, left, priceOf] = await Promise.all([
			readEnergyOfCall(context, { owner, contract, amount, ...encodeCall(p) }),
			readOwnEnergy(context, owner),
			readPricesOnce(context),
		]);
		const own = left < energy ? left : energy;
		yield {
			energy: Number(energy),
			energyOwn: Number(own),
			feeCoins: formatUnits((energy - own) * priceOf('energy'), SUN_DECIMALS),
		};
	},
});

export const contract = { name: 'Contract', operations: { call, buildCall, estimateEnergy } };
