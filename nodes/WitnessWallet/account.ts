import type { Field } from '../core/operation/field';
import { throwInvalidResponse } from '../core/net/responses/response';
import { rest } from '../core/protocols/rest';
import { SUN_DECIMALS, formatUnits } from '../core/values/units';
import { isRecord } from '../core/values/parse';
import { throwIfError } from '../core/witness/answers';
import { options, parseAddress, visible } from './fields';

const address = {
	displayName: 'Address',
	name: 'address',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC',
	description: 'The account to look at',
} as const satisfies Field;

const get = rest({
	name: 'Get',
	action: 'Get an account, its balance and votes',
	description:
		'Get the balance of an account, what it has frozen, its votes, and what is left of votes, energy and bandwidth',
	fields: [address, visible, options],
	async *run(p, context) {
		const { written } = parseAddress('Address', p.address, p.visible);
		const body = { address: written, visible: p.visible };
		const [account, resources] = await Promise.all([
			context.call({ path: '/wallet/getaccount', body }),
			context.call({ path: '/wallet/getaccountresource', body }),
		]);
		yield formatAccount(written, parseObjectAnswer(account), parseObjectAnswer(resources));
	},
});

export const account = { name: 'Account', operations: { get } };

type JsonRecord = Readonly<Record<string, unknown>>;

/** The chain answers `{}` for an account that does not exist, and leaves out zeros. */
function formatAccount(address: string, account: JsonRecord, resources: JsonRecord): object {
	const exists = Object.keys(account).length > 0;
	if (exists && !isSameAddress(account.address, address)) {
		return throwInvalidResponse(`the account ${address}`, account);
	}
	const frozenFor = (resource: string) =>
		parseRows(account.frozenV2, account)
			.filter(({ type = 'BANDWIDTH' }) => type === resource)
			.reduce((sum, { amount }) => sum + parseIntegerAnswer(amount, account), 0n);
	// What others freeze takes from a limit, which may then be below what was used.
	const left = (limit: string, used: string) => {
		const unused =
			parseIntegerAnswer(resources[limit], resources) -
			parseIntegerAnswer(resources[used], resources);
		return unused > 0n ? unused : 0n;
	};
	return {
		address,
		balance: formatCoins(parseIntegerAnswer(account.balance, account)),
		frozenForEnergy: formatCoins(frozenFor('ENERGY')),
		frozenForBandwidth: formatCoins(frozenFor('BANDWIDTH')),
		votes: parseRows(account.votes, account).map(({ vote_address, vote_count }) => ({
			voteAddress: typeof vote_address === 'string' ? vote_address : throwNoAccount(account),
			voteCount: Number(parseIntegerAnswer(vote_count, account)),
		})),
		votesLeft: Number(left('tronPowerLimit', 'tronPowerUsed')),
		energyLeft: Number(left('EnergyLimit', 'EnergyUsed')),
		bandwidthLeft: Number(left('freeNetLimit', 'freeNetUsed') + left('NetLimit', 'NetUsed')),
		exists,
	};
}

/** Hex may be in upper or lower case. */
function isSameAddress(answered: unknown, asked: string): boolean {
	return (
		typeof answered === 'string' &&
		(answered === asked || (/^41/.test(asked) && answered.toLowerCase() === asked.toLowerCase()))
	);
}

function formatCoins(sun: bigint): string {
	return formatUnits(sun, SUN_DECIMALS);
}

function parseObjectAnswer(body: unknown): JsonRecord {
	const answer = throwIfError(body);
	return isRecord(answer) ? answer : throwNoAccount(body);
}

function parseRows(value: unknown = [], whole: JsonRecord): JsonRecord[] {
	return Array.isArray(value) && value.every(isRecord) ? value : throwNoAccount(whole);
}

function throwNoAccount(answer: unknown): never {
	return throwInvalidResponse('an account', answer);
}

/** A number is 0 where it is left out, never negative, and text where it is large. */
function parseIntegerAnswer(value: unknown = 0, whole: JsonRecord): bigint {
	const isWhole =
		typeof value === 'string'
			? /^\d{1,19}$/.test(value)
			: Number.isSafeInteger(value) && Number(value) >= 0;
	return isWhole ? BigInt(value as number | string) : throwInvalidResponse('whole numbers', whole);
}
