import type { Field } from '../core/operation/field';
import { invalidResponse } from '../core/responses/response';
import { rest } from '../core/rest/rest';
import { decimalText } from '../core/values/numbers';
import { isRecord } from '../core/values/read';
import { withoutError } from './answers';
import { DECIMALS, options, readAddress, visible } from './fields';

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
		const { written } = readAddress('Address', p.address, p.visible);
		const body = { address: written, visible: p.visible };
		const [account, resources] = await Promise.all([
			context.call({ path: '/wallet/getaccount', body }),
			context.call({ path: '/wallet/getaccountresource', body }),
		]);
		yield summary(written, objectIn(account), objectIn(resources));
	},
});

export const account = { name: 'Account', operations: { get } };

type Given = Readonly<Record<string, unknown>>;

/** An account that does not exist is `{}`; zeros are left out. */
function summary(address: string, account: Given, resources: Given): object {
	const exists = Object.keys(account).length > 0;
	if (exists && !isSame(account.address, address)) {
		return invalidResponse(`the account ${address}`, account);
	}
	const frozenFor = (resource: string) =>
		rows(account.frozenV2, account)
			.filter(({ type = 'BANDWIDTH' }) => type === resource)
			.reduce((sum, { amount }) => sum + integer(amount, account), 0n);
	// What others freeze takes from a limit, which may then be below what was used.
	const left = (limit: string, used: string) => {
		const unused = integer(resources[limit], resources) - integer(resources[used], resources);
		return unused > 0n ? unused : 0n;
	};
	return {
		address,
		balance: coins(integer(account.balance, account)),
		frozenForEnergy: coins(frozenFor('ENERGY')),
		frozenForBandwidth: coins(frozenFor('BANDWIDTH')),
		votes: rows(account.votes, account).map(({ vote_address, vote_count }) => ({
			voteAddress: typeof vote_address === 'string' ? vote_address : noAccount(account),
			voteCount: Number(integer(vote_count, account)),
		})),
		votesLeft: Number(left('tronPowerLimit', 'tronPowerUsed')),
		energyLeft: Number(left('EnergyLimit', 'EnergyUsed')),
		bandwidthLeft: Number(left('freeNetLimit', 'freeNetUsed') + left('NetLimit', 'NetUsed')),
		exists,
	};
}

/** Hex may be in either case. */
function isSame(told: unknown, asked: string): boolean {
	return (
		told === asked || (/^41/.test(asked) && String(told).toLowerCase() === asked.toLowerCase())
	);
}

function coins(sun: bigint): string {
	return decimalText(sun, DECIMALS);
}

function objectIn(body: unknown): Given {
	const answer = withoutError(body);
	return isRecord(answer) ? answer : noAccount(body);
}

function rows(value: unknown = [], whole: Given): Given[] {
	return Array.isArray(value) && value.every(isRecord) ? value : noAccount(whole);
}

function noAccount(answer: unknown): never {
	return invalidResponse('an account', answer);
}

/** 0 where it is left out, never negative; large ones are text. */
function integer(value: unknown = 0, whole: Given): bigint {
	const isWhole =
		typeof value === 'string'
			? /^\d{1,19}$/.test(value)
			: Number.isSafeInteger(value) && Number(value) >= 0;
	return isWhole ? BigInt(value as number | string) : invalidResponse('whole numbers', whole);
}
