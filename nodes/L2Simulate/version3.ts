import type { Field, Params } from '../core/operation/field';
import { listOf } from '../core/values/json';
import { wholeAmount } from '../core/values/quantity';
import { unfit, type Read } from '../core/values/read';
import { felt } from './felt';

/** A number of so many bits, as 0x-hex. */
function unsigned(bits: number): Read<string> {
	return (given) => {
		const amount = wholeAmount(given);
		return amount < 1n << BigInt(bits)
			? `0x${amount.toString(16)}`
			: unfit(`a number of at most ${bits} bits`);
	};
}

/** What the signer allows for one kind of gas. */
function bound<const Name extends string, const Title extends string>(
	name: Name,
	displayName: Title,
	bits: number,
	description: string,
) {
	return {
		displayName,
		name,
		type: 'string',
		default: '0x0',
		description: `${description}, decimal or 0x-hex`,
		read: unsigned(bits),
	} as const satisfies Field;
}

const MOST = 'How much of this gas may be used';
const PRICE = 'The highest price per unit of this gas, in fri';

function availability<const Name extends string, const Title extends string>(
	name: Name,
	displayName: Title,
) {
	return {
		displayName,
		name,
		type: 'options',
		default: 'L1',
		description: 'Where the data is kept',
		options: [
			{ name: 'L1', value: 'L1' },
			{ name: 'L2', value: 'L2' },
		],
	} as const satisfies Field;
}

function feltList<const Name extends string, const Title extends string>(
	name: Name,
	displayName: Title,
) {
	return {
		displayName,
		name,
		type: 'string',
		default: '',
		placeholder: 'e.g. 0x1, 0x2',
		description: 'Hex values, comma-separated, or an array. Usually empty.',
		read: listOf(felt),
	} as const satisfies Field;
}

/** What a transaction of version 3 has beside the fields of version 1; what is not added is empty or zero. */
export const version3Fields = {
	displayName: 'Version 3 Fields',
	name: 'version3',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
	show: { version: ['0x3'] },
	options: [
		feltList('accountDeploymentData', 'Account Deployment Data'),
		availability('feeDataAvailabilityMode', 'Fee Data Availability Mode'),
		bound('l1DataGasMaxAmount', 'L1 Data Gas Max Amount', 64, MOST),
		bound('l1DataGasMaxPrice', 'L1 Data Gas Max Price', 128, PRICE),
		bound('l1GasMaxAmount', 'L1 Gas Max Amount', 64, MOST),
		bound('l1GasMaxPrice', 'L1 Gas Max Price', 128, PRICE),
		bound('l2GasMaxAmount', 'L2 Gas Max Amount', 64, MOST),
		bound('l2GasMaxPrice', 'L2 Gas Max Price', 128, PRICE),
		availability('nonceDataAvailabilityMode', 'Nonce Data Availability Mode'),
		feltList('paymasterData', 'Paymaster Data'),
		bound('tip', 'Tip', 64, 'What is paid per unit of L2 gas on top of its price, in fri'),
	],
} as const satisfies Field;

type Given = Partial<Params<(typeof version3Fields)['options']>>;

export function version3(given: Given): object {
	return {
		resource_bounds: {
			l1_gas: limits(given.l1GasMaxAmount, given.l1GasMaxPrice),
			l1_data_gas: limits(given.l1DataGasMaxAmount, given.l1DataGasMaxPrice),
			l2_gas: limits(given.l2GasMaxAmount, given.l2GasMaxPrice),
		},
		tip: given.tip ?? '0x0',
		paymaster_data: given.paymasterData ?? [],
		account_deployment_data: given.accountDeploymentData ?? [],
		nonce_data_availability_mode: given.nonceDataAvailabilityMode ?? 'L1',
		fee_data_availability_mode: given.feeDataAvailabilityMode ?? 'L1',
	};
}

function limits(amount = '0x0', price = '0x0') {
	return { max_amount: amount, max_price_per_unit: price };
}
