import type { Field } from '../core/operation/field';
import { InvalidInput } from '../core/errors/invalidInput';
import type { RunContext } from '../core/operation/operation';
import { parseTonAccount } from '../core/ton/address';
import type { TimeRange } from '../core/ton/accountTransactions';
import { optionalParser } from '../core/values/numbers';
import { parseTime, toUnixSeconds } from '../core/values/time';

export const ADDRESS_PLACEHOLDER = 'e.g. UQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k8OV';

export const address = {
	displayName: 'Address',
	name: 'address',
	type: 'string',
	required: true,
	default: '',
	placeholder: ADDRESS_PLACEHOLDER,
	description: 'The account, as a user-friendly (EQ…, UQ…) or raw (0:…) address',
	parse: parseTonAccount,
} as const satisfies Field;

export const owner = {
	...address,
	displayName: 'Owner',
	name: 'owner',
	description:
		'The account that owns the jettons or NFTs, as a user-friendly (EQ…, UQ…) or raw (0:…) address',
} as const satisfies Field;

export const jetton = {
	...address,
	displayName: 'Jetton',
	name: 'jetton',
	placeholder: 'e.g. EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
	description:
		"The address of the jetton's master contract, which alone identifies it: anybody can use the name of another jetton",
} as const satisfies Field;

const parseOptionalTime = optionalParser(parseTime);

export const fromTime = {
	displayName: 'From Time',
	name: 'fromTime',
	type: 'dateTime',
	default: '',
	placeholder: 'e.g. 2026-01-31T14:00:00Z',
	description:
		'ISO 8601 or Unix seconds. A time without a zone is in the time zone of the workflow.',
	hint: 'Only results of this time or later. If empty, results go back to the first.',
	parse: parseOptionalTime,
} as const satisfies Field;

export const toTime = {
	...fromTime,
	displayName: 'To Time',
	name: 'toTime',
	hint: 'Only results of this time or earlier. If empty, results begin with the newest.',
} as const satisfies Field;

interface ChosenTimes {
	readonly fromTime: ReturnType<typeof parseOptionalTime>;
	readonly toTime: ReturnType<typeof parseOptionalTime>;
}

export function toTimeRange(
	{ fromTime: from, toTime: to }: ChosenTimes,
	{ timezone }: Pick<RunContext<never>, 'timezone'>,
): TimeRange {
	const fromTime = from && toUnixSeconds(from, timezone);
	const toTime = to && toUnixSeconds(to, timezone);
	if (fromTime !== undefined && toTime !== undefined && fromTime > toTime)
		throw new InvalidInput("'From Time' must not be later than 'To Time'");
	return { fromTime, toTime };
}
