import { isRearmedTooSoon, type StartCondition } from '../core/chain/crossing';
import { InvalidInput } from '../core/errors/invalidInput';
import { encodeFunctionData } from '../core/evm/abi/call';
import type { AbiFunction } from '../core/evm/abi/entry';
import { raise } from '../core/errors/raise';
import type { Field, Params } from '../core/operation/field';
import { optionalParser } from '../core/values/numbers';
import { parseText, wholeNumberParser, type Parse } from '../core/values/parse';
import { formatDecimal, signedAmountParser, type Decimal } from '../core/values/units';
import { argumentList } from './argumentFields';

/** The values that triggers can watch. Each trigger offers some of them. */
export const MEASURES = {
	coinBalance: {
		name: 'Coin Balance',
		description: 'How many coins of the chain an account has',
	},
	functionResult: {
		name: 'Function Result',
		description: 'An integer that a function of a contract returns',
	},
	gasPrice: {
		name: 'Gas Price',
		description: 'The present price of gas, as the chain node gives it, in gwei',
	},
	price: { name: 'Price', description: 'The latest price of a price feed on the chain' },
	tokenBalance: { name: 'Token Balance', description: 'How much of a token an account has' },
} as const;

type Measure = keyof typeof MEASURES;

/** Makes the field that selects the watched value. Give the names in the order in which n8n lists them. */
export function measureField<const Names extends readonly Measure[]>(...names: Names) {
	return {
		displayName: 'Measure',
		name: 'measure',
		type: 'options',
		default: 'coinBalance',
		noDataExpression: true,
		description: 'What to watch',
		options: names.map((value) => ({ ...MEASURES[value], value })) as unknown as {
			readonly [Index in keyof Names]: (typeof MEASURES)[Names[Index]] & {
				readonly value: Names[Index];
			};
		},
	} as const satisfies Field;
}

const compare = {
	displayName: 'Compare',
	name: 'compare',
	type: 'options',
	default: 'fallsBelow',
	noDataExpression: true,
	description: 'Which change of the value starts the workflow; each such change starts it once',
	options: [
		{
			name: 'Changes By',
			value: 'changesBy',
			description:
				'The value has moved up or down by at least the threshold since the last start of the workflow',
		},
		{ name: 'Falls Below', value: 'fallsBelow' },
		{ name: 'Rises Above', value: 'risesAbove' },
	],
} as const satisfies Field;

interface Threshold {
	readonly amount: Decimal;
	readonly isPercentage: boolean;
}

const EXPECTED_THRESHOLD = 'a number in whole units, such as 1.5, without a unit';

const parseThreshold: Parse<Threshold> = (given) => {
	const parse = signedAmountParser(EXPECTED_THRESHOLD);
	const [, share] = /^(.*[^\s%])\s*%$/.exec(typeof given === 'string' ? given.trim() : '') ?? [];
	return { amount: parse(share ?? given), isPercentage: share !== undefined };
};

const threshold = {
	displayName: 'Threshold',
	name: 'threshold',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 1.5',
	description:
		'The number to compare the watched value with: in coins or tokens, such as 0.5, or in gwei for a gas price. For Changes By, also a percentage, such as 5%.',
	parse: parseThreshold,
} as const satisfies Field;

const rearmAt = {
	displayName: 'Rearm At',
	name: 'rearmAt',
	type: 'string',
	default: '',
	placeholder: 'e.g. 2',
	description:
		'After the value starts the workflow, it must return to this number before the next start',
	hint: 'If empty, the value must return to the number in Threshold',
	show: { compare: ['fallsBelow', 'risesAbove'] },
	parse: optionalParser(signedAmountParser('a number in whole units, such as 2')),
} as const satisfies Field;

/** The fields that say when a value starts the workflow. */
export const conditionFields = [compare, threshold, rearmAt] as const;

/** Reads the condition, and refuses settings that contradict each other. */
export function readCondition(p: Params<typeof conditionFields>): StartCondition {
	const { amount, isPercentage } = p.threshold;
	if (p.compare === 'changesBy') {
		return amount.digits < 0n
			? raise(new InvalidInput("'Threshold' must be 0 or more when 'Compare' is Changes By"))
			: { compare: p.compare, threshold: amount, isPercentage };
	}
	if (isPercentage) {
		throw new InvalidInput(
			"'Threshold' is a percentage, and only 'Changes By' takes a percentage",
			'Give the value itself, in whole units, such as 1.5.',
		);
	}
	const back = p.rearmAt ?? amount;
	if (isRearmedTooSoon(p.compare, amount, back)) {
		const side = p.compare === 'fallsBelow' ? 'at or above' : 'at or below';
		throw new InvalidInput(
			`'Rearm At' must be ${side} the threshold, which is ${formatDecimal(amount)}`,
			'From that value on, the trigger is ready for its next start.',
		);
	}
	return { compare: p.compare, threshold: amount, rearmAt: back };
}

/** Gives the parts of the condition in a form that does not depend on how the user wrote the numbers. */
export function getConditionChoices(condition: StartCondition): string[] {
	return condition.compare === 'changesBy'
		? [condition.compare, formatDecimal(condition.threshold), String(condition.isPercentage)]
		: [condition.compare, formatDecimal(condition.threshold), formatDecimal(condition.rearmAt)];
}

/** Writes a measure as text, which differs for different measures. */
export function formatMeasure(parts: Readonly<Record<string, unknown>>): string {
	return JSON.stringify(parts, (_, part: unknown) =>
		typeof part === 'bigint' ? String(part) : part,
	);
}

interface ContractMeasure {
	readonly kind: 'functionResult';
	readonly contract: string;
	readonly called: AbiFunction;
	readonly args: unknown;
	readonly output: number;
	readonly decimals: number;
}

/**
 * Writes a measure as text, on chains with ABIs like those of EVM chains. A call is encoded first, so the text does not
 * depend on how the user wrote the function and its arguments.
 */
export function formatContractMeasure(
	measure: ContractMeasure | { readonly kind: Exclude<Measure, 'functionResult'> },
): string {
	if (measure.kind !== 'functionResult') return formatMeasure({ ...measure });
	const { kind, contract, called, args, output, decimals } = measure;
	const data = encodeFunctionData(called, args);
	return formatMeasure({ kind, contract, data, output, decimals });
}

const output = {
	displayName: 'Output',
	name: 'output',
	type: 'string',
	default: '',
	placeholder: 'e.g. amount',
	description:
		'Which output of the function to watch: its name, or its position counted from 0. Leave Output empty if there is only one output.',
	parse: parseText,
} as const satisfies Field;

const MAX_DECIMALS = 255;

const decimals = {
	displayName: 'Decimals',
	name: 'decimals',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: MAX_DECIMALS },
	default: 0,
	description: 'The number of decimals of the integer: with 6 decimals, 1500000 is 1.5',
	parse: wholeNumberParser(0, MAX_DECIMALS),
} as const satisfies Field;

/** The fields that follow the function field when a function's result is watched. */
export const resultFields = [argumentList, output, decimals] as const;
