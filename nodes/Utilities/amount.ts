import type { Field } from '../core/operation/field';
import { pureOperation } from '../core/protocols/pure';
import {
	ETHER_DECIMALS,
	GWEI_DECIMALS,
	formatDecimal,
	parseDecimal,
	shiftDecimal,
} from '../core/values/units';
import { wholeNumberParser, type Parse, parseField, InvalidValue } from '../core/values/parse';

const amountToConvert = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 1500000000000000000',
	description:
		'The amount, as a decimal number, in 0x-hex or in scientific notation. Write long numbers as text, so that no digit is lost.',
	parse: parseDecimal,
} as const satisfies Field;

const UNITS = [
	{
		name: 'Decimals',
		value: 'decimals',
		description:
			'The amount is in tokens, such as 1.5. Another field asks how many decimals the token has.',
	},
	{
		name: 'Ether',
		value: 'ether',
		description: 'Coins of an EVM chain, such as 0.5; 1 ether is 10^18 wei',
	},
	{ name: 'Gwei', value: 'gwei', description: 'The unit of gas prices; 1 gwei is 10^9 wei' },
	{ name: 'Wei', value: 'wei', description: 'The smallest unit of a coin or of any token' },
] as const;

const from = {
	displayName: 'From',
	name: 'from',
	type: 'options',
	default: 'wei',
	description: 'The unit of the amount',
	options: UNITS,
} as const satisfies Field;

const fromDecimals = {
	displayName: 'From Decimals',
	name: 'fromDecimals',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 255 },
	default: 18,
	description: 'The number of decimals of the token in which the amount is given',
	show: { from: ['decimals'] },
	parse: wholeNumberParser(0, 255),
} as const satisfies Field;

const to = {
	displayName: 'To',
	name: 'to',
	type: 'options',
	default: 'ether',
	description: 'The unit to convert to',
	options: UNITS,
} as const satisfies Field;

const toDecimals = {
	displayName: 'To Decimals',
	name: 'toDecimals',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 255 },
	default: 18,
	description: 'The number of decimals of the token to convert to',
	show: { to: ['decimals'] },
	parse: wholeNumberParser(0, 255),
} as const satisfies Field;

const convert = pureOperation({
	name: 'Convert',
	action: 'Convert amount',
	description: 'Convert an amount between units, such as wei and ether, without losing a digit',
	fields: [amountToConvert, from, fromDecimals, to, toDecimals],
	result: (p) => {
		const before = getDecimals(p.from, p.fromDecimals);
		const after = getDecimals(p.to, p.toDecimals);
		// A conversion to a larger unit needs no check of decimal places, because a larger unit can express any amount of a smaller unit.
		if (after <= before) parseField('Amount', formatDecimal(p.amount), wholeUnitsParser(before));
		return { amount: formatDecimal(shiftDecimal(p.amount, before - after)) };
	},
});

const UNIT_DECIMALS = { wei: 0, gwei: GWEI_DECIMALS, ether: ETHER_DECIMALS } as const;

function getDecimals(unit: keyof typeof UNIT_DECIMALS | 'decimals', decimals = 0): number {
	return unit === 'decimals' ? decimals : UNIT_DECIMALS[unit];
}

/** Creates a check that an amount is whole in the smallest unit. */
function wholeUnitsParser(decimals: number): Parse<void> {
	return (given) => {
		if (parseDecimal(given).scale <= decimals) return;
		throw new InvalidValue(
			decimals === 0
				? 'a whole number: the smallest unit cannot be divided'
				: `an amount with at most ${decimals} decimals: the smallest unit cannot be divided`,
		);
	};
}

export const amount = { name: 'Amount', operations: { convert } };
