import type { RestCaller } from '../chain/reader';
import { invalidResponseError } from '../net/responses/response';
import { isRecord } from '../values/parse';
import { throwIfError } from './answers';
import { raise } from '../errors/raise';

type JsonRecord = Readonly<Record<string, unknown>>;

/** An address as requests and answers write it. */
export interface WrittenAddress {
	readonly address: string;
	/** Whether that is base58. */
	readonly visible: boolean;
}

/** An account with its balances. Amounts are in sun, the smallest unit of the coin. */
export interface WitnessAccount {
	readonly exists: boolean;
	readonly balance: bigint;
	/**
	 * The time of the block before the account's last transaction, in milliseconds since 1970. It is 0 if there is no
	 * transaction.
	 */
	readonly operatedAt: bigint;
	readonly frozenForEnergy: bigint;
	readonly frozenForBandwidth: bigint;
	readonly votes: ReadonlyArray<{ readonly voteAddress: string; readonly voteCount: bigint }>;
}

/** Reads an account. The chain answers `{}` for an account that does not exist, and leaves out zeros. */
export async function readAccount(
	{ call }: RestCaller,
	{ address, visible }: WrittenAddress,
): Promise<WitnessAccount> {
	const body = { address, visible };
	const account = parseObjectAnswer(await call({ path: '/wallet/getaccount', body }));
	const exists = Object.keys(account).length > 0;
	if (exists && !isSameAddress(account.address, address)) {
		throw invalidResponseError(`the account ${address}`, account);
	}
	const frozenFor = (resource: string) =>
		parseRows(account.frozenV2, account)
			.filter(({ type = 'BANDWIDTH' }) => type === resource)
			.reduce((sum, { amount }) => sum + parseIntegerAnswer(amount, account), 0n);
	return {
		exists,
		balance: parseIntegerAnswer(account.balance, account),
		// The chain's own name for this field is misspelt.
		operatedAt: parseIntegerAnswer(account.latest_opration_time, account),
		frozenForEnergy: frozenFor('ENERGY'),
		frozenForBandwidth: frozenFor('BANDWIDTH'),
		votes: parseRows(account.votes, account).map(({ vote_address, vote_count }) => ({
			voteAddress: typeof vote_address === 'string' ? vote_address : raise(noAccountError(account)),
			voteCount: parseIntegerAnswer(vote_count, account),
		})),
	};
}

/**
 * The resources that an account has left for transactions. A transaction uses either free or frozen bandwidth, never
 * both.
 */
export interface Resources {
	readonly votes: bigint;
	readonly energy: bigint;
	readonly freeBandwidth: bigint;
	readonly frozenBandwidth: bigint;
}

export async function readResources(
	{ call }: RestCaller,
	{ address, visible }: WrittenAddress,
): Promise<Resources> {
	const body = { address, visible };
	const found = parseObjectAnswer(await call({ path: '/wallet/getaccountresource', body }));
	// When others take back coins that they froze for the account, its limit can sink below what it has used.
	const left = (limit: string, used: string) => {
		const unused = parseIntegerAnswer(found[limit], found) - parseIntegerAnswer(found[used], found);
		return unused > 0n ? unused : 0n;
	};
	return {
		votes: left('tronPowerLimit', 'tronPowerUsed'),
		energy: left('EnergyLimit', 'EnergyUsed'),
		freeBandwidth: left('freeNetLimit', 'freeNetUsed'),
		frozenBandwidth: left('NetLimit', 'NetUsed'),
	};
}

/** Compares two addresses. Addresses in hex may be in upper or lower case. */
function isSameAddress(answered: unknown, asked: string): boolean {
	return (
		typeof answered === 'string' &&
		(answered === asked || (/^41/.test(asked) && answered.toLowerCase() === asked.toLowerCase()))
	);
}

function parseObjectAnswer(body: unknown): JsonRecord {
	const answer = throwIfError(body);
	return isRecord(answer) ? answer : raise(noAccountError(body));
}

function parseRows(value: unknown = [], whole: JsonRecord): JsonRecord[] {
	return Array.isArray(value) && value.every(isRecord) ? value : raise(noAccountError(whole));
}

function noAccountError(answer: unknown) {
	return invalidResponseError('an account', answer);
}

/** Parses a whole number of an answer, which is never negative. A missing number is 0, and a large number is a text. */
function parseIntegerAnswer(value: unknown = 0, whole: JsonRecord): bigint {
	const isWhole =
		typeof value === 'string'
			? /^\d{1,19}$/.test(value)
			: Number.isSafeInteger(value) && Number(value) >= 0;
	return isWhole
		? BigInt(value as number | string)
		: raise(invalidResponseError('whole numbers', whole));
}
