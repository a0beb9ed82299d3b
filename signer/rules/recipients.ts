import {
	parseAccountKey,
	parseText,
	rethrow,
	watchAccounts,
	type AccountKey,
	type Parse,
} from '../../nodes/core';
import { findFamily, formatAddress, parseAddress, type Address } from './addresses';
import { optionalListParser } from './ruleParser';

/** Who may receive. */
export interface Recipients {
	readonly addresses: readonly Address[];
	/** Keys whose own addresses may also receive. */
	readonly keys: readonly RecipientKey[];
}

/** The number of addresses that an account key in the rule Recipients stands for. */
const KEY_ADDRESSES = 100_000;
/** Most shops have few addresses, so few addresses are derived first. */
const DERIVED_COUNTS = [1000, 10_000, KEY_ADDRESSES];

/** Thrown when the addresses of an account key must be derived before an address can be looked up among them. */
export class UnderivedAddresses extends Error {
	constructor(readonly derive: () => Promise<void>) {
		super('The addresses of an account key are not derived yet');
	}
}

/** Calls `judge`. If it needs addresses that are not derived yet, derives them and calls it again. */
export async function judgeDerived<Result>(judge: () => Result | Promise<Result>): Promise<Result> {
	for (;;) {
		try {
			return await judge();
		} catch (failure) {
			await deriveOrRethrow(failure);
		}
	}
}

async function deriveOrRethrow(failure: unknown): Promise<void> {
	await (failure instanceof UnderivedAddresses ? failure.derive() : rethrow(failure));
}

/** An account key whose addresses 0 to 99999, on EVM chains and on TRON, are recipients. */
export class RecipientKey {
	private stage = 0;

	constructor(
		readonly key: AccountKey,
		/** The numbers of addresses that are derived step by step, until the address is found. */
		private readonly counts = DERIVED_COUNTS,
	) {}

	/** Whether the address belongs to the key. Throws UnderivedAddresses if more addresses must be derived first. */
	has(address: Address): boolean {
		const family = findFamily(address);
		if (family !== 'evm' && family !== 'witness') return false;
		const known = this.counts[this.stage - 1];
		if (known !== undefined && this.watch(known).findIndex(address.slice(2)) !== undefined)
			return true;
		const next = this.counts[this.stage];
		if (next === undefined) return false;
		throw new UnderivedAddresses(async () => {
			await this.watch(next).derive();
			this.stage = this.counts.indexOf(next) + 1;
		});
	}

	private watch(count: number) {
		return watchAccounts({ key: this.key, firstIndex: 0, count });
	}
}

const ADDRESS_CHARS = 50;

/** Parses addresses and account keys. */
export const parseRecipients: Parse<Recipients> = (given) => {
	const entries = parseEntries(given);
	return {
		addresses: entries.filter((one) => typeof one === 'string'),
		keys: entries.filter((one) => one instanceof RecipientKey),
	};
};

/** An address is shorter than a key, so the length distinguishes them. */
const parseEntries = optionalListParser<Address | RecipientKey>((given) =>
	parseText(given).length > ADDRESS_CHARS
		? new RecipientKey(parseAccountKey(given))
		: parseAddress(given),
);

/** Whether every address may receive, because the list is empty. */
export function allowsAll({ addresses, keys }: Recipients): boolean {
	return addresses.length === 0 && keys.length === 0;
}

export function isRecipient({ addresses, keys }: Recipients, address: Address): boolean {
	return addresses.includes(address) || keys.some((key) => key.has(address));
}

/** Formats the recipients: the listed addresses that `owns` accepts, and the account keys. */
export function formatRecipients(
	{ addresses, keys }: Recipients,
	owns: (address: Address) => boolean = () => true,
): string[] {
	return [...addresses.filter(owns).map(formatAddress), ...keys.map(formatKey)];
}

const SHOWN_KEY_CHARS = 14;

function formatKey({ key: { text } }: RecipientKey): string {
	return `the addresses 0 to ${KEY_ADDRESSES - 1} of ${text.slice(0, SHOWN_KEY_CHARS)}…`;
}
