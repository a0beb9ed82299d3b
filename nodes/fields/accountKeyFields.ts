import { MAX_INDEX, parseAccountKey, type AccountKey } from '../core/accountKey/accountKey';
import { watchAccounts, type WatchedAccounts } from '../core/accountKey/watchedAccounts';
import { InvalidInput } from '../core/errors/invalidInput';
import type { Field } from '../core/operation/field';
import { showWhile } from '../core/operation/sharedFields';
import { wholeNumberParser } from '../core/values/parse';

/** The field for an extended public key, from which the addresses of an account can be computed. */
export const accountKey = {
	displayName: 'Account Key',
	name: 'accountKey',
	type: 'string',
	required: true,
	default: '',
	placeholder:
		'e.g. xpub6DPBHt3vK3mg63mxJtMKcgd5cLWaULwbAdWwXkxiVp1qsF29LHaWZX1xTyY2wdnjD7tkYz71vfzAvSYtquVD21gecUJqejgpjx2HabkbAZy',
	description:
		'The extended public key of an account (xpub, tpub). It shows all addresses of the account, but cannot move funds.',
	parse: parseAccountKey,
} as const satisfies Field;

/** Selects what a trigger watches: addresses that the user lists, or the addresses of an account key. */
export const watch = {
	displayName: 'Watch',
	name: 'watch',
	type: 'options',
	default: 'addresses',
	description: 'Whether to watch addresses that you list, or the addresses of an account key',
	options: [
		{
			name: 'Addresses',
			value: 'addresses',
			description: 'The addresses that you enter below',
		},
		{
			name: 'Addresses of an Account Key',
			value: 'accountKey',
			description:
				'Addresses derived from a public key, one for each order; only what they receive starts the workflow',
		},
	],
} as const satisfies Field;

const MAX_ADDRESSES = 100_000;

const addressCount = {
	displayName: 'Address Count',
	name: 'addressCount',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_ADDRESSES },
	default: 1000,
	description:
		'How many addresses to watch. You can raise this later; no event is lost or repeated.',
	parse: wholeNumberParser(1, MAX_ADDRESSES),
} as const satisfies Field;

const firstIndex = {
	displayName: 'First Index',
	name: 'firstIndex',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: MAX_INDEX },
	default: 0,
	description: 'The number (index) of the first address to watch, counting from 0',
	parse: wholeNumberParser(0, MAX_INDEX),
} as const satisfies Field;

/** The fields for watching an account key. They are shown while Watch has the value accountKey. */
export const [watchedKey, watchedCount, watchedFirst] = showWhile({ watch: ['accountKey'] }, [
	accountKey,
	addressCount,
	firstIndex,
]);

interface WatchedParameters {
	readonly watch: 'addresses' | 'accountKey';
	readonly accountKey: AccountKey | undefined;
	readonly addressCount: number | undefined;
	readonly firstIndex: number | undefined;
}

/** Gives the accounts of the account key, or undefined if the user lists addresses instead. */
export function getWatchedAccounts(
	p: WatchedParameters,
	most = MAX_ADDRESSES,
): WatchedAccounts | undefined {
	if (p.watch === 'addresses' || !p.accountKey) return undefined;
	const { accountKey: key, addressCount: count = addressCount.default, firstIndex: first = 0 } = p;
	if (count > most) {
		throw new InvalidInput(`'Address Count' must be at most ${most} for this event; got ${count}`);
	}
	if (first + count - 1 > MAX_INDEX) {
		throw new InvalidInput(
			`'First Index' must be at most ${MAX_INDEX + 1 - count} with this 'Address Count'; got ${first}`,
		);
	}
	return watchAccounts({ key, firstIndex: first, count });
}

/** Gives the settings that decide which accounts are watched, except their number. */
export function getKeyChoices(p: WatchedParameters): string[] {
	return ['accountKey', p.accountKey?.text ?? '', String(p.firstIndex ?? 0)];
}
