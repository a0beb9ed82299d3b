import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	attempt,
	checksummed,
	coinsOf,
	ETHER,
	evmAddress,
	InvalidInput,
	InvalidValue,
	isRecord,
	listOf,
	mustBe,
	readBoolean,
	wholeAmount,
	wholeNumber,
	witnessAccount,
	witnessForms,
	type Read,
} from '../../nodes/core';
import { rules as fields } from '../credentials/rules';

/** What the owner of a credential allows. Amounts are in the smallest unit. */
export interface Rules {
	readonly chainIds: readonly bigint[];
	readonly maxAmount: bigint;
	readonly maxFee: bigint;
	/** Empty: every address. */
	readonly recipients: readonly Address[];
	readonly contracts: readonly Address[];
	/** `*` is among the contracts. */
	readonly anyContract: boolean;
	readonly tokenLimits: ReadonlyMap<Address, bigint>;
	readonly allowDeployments: boolean;
	readonly allowMessages: boolean;
	readonly allowTypedData: boolean;
	readonly witnessKinds: readonly string[];
	readonly witnessMaxAmount: bigint;
	readonly witnessMaxFee: bigint;
	/** In minutes. */
	readonly witnessMaxExpiry: bigint;
}

/**
 * `0x` and 40 hex digits on EVM chains, 41 and 40 on the witness chain, in lower case: what is allowed on one of them is
 * not allowed on the other, where the same 20 bytes may be a contract of somebody else.
 */
export type Address = string;

/** Of a coin of the witness chain. */
export const SUN = 6;

/** All of them, or a refusal that names the one that can't be read. */
export function rulesOf(credential: ICredentialDataDecryptedObject): Rules {
	const rule = <T>(name: string, read: Read<T>): T => readRule(name, credential[name], read);
	const contracts = rule('contracts', optionalList(contract));
	return {
		chainIds: rule('chainIds', optionalList(chainId)),
		maxAmount: rule('maxAmount', coins(ETHER)),
		maxFee: rule('maxFee', coins(ETHER)),
		recipients: rule('recipients', optionalList(address)),
		contracts: contracts.filter((one) => one !== ANY),
		anyContract: contracts.includes(ANY),
		tokenLimits: rule('tokenLimits', limits),
		allowDeployments: rule('allowDeployments', readBoolean),
		allowMessages: rule('allowMessages', readBoolean),
		allowTypedData: rule('allowTypedData', readBoolean),
		witnessKinds: rule('witnessKinds', kinds),
		witnessMaxAmount: rule('witnessMaxAmount', coins(SUN)),
		witnessMaxFee: rule('witnessMaxFee', coins(SUN)),
		witnessMaxExpiry: rule('witnessMaxExpiry', minutes),
	};
}

/** As people write it. */
export function shown(address: Address): string {
	const digits = address.slice(2);
	return address.startsWith('0x') ? checksummed(digits) : witnessForms(digits).base58;
}

/** As the form shows it. */
export function labelOf(name: string): string {
	return fields.find((field) => field.name === name)?.displayName ?? name;
}

function readRule<T>(name: string, given: unknown, read: Read<T>): T {
	// One that an older credential does not have yet.
	const usual = fields.find((field) => field.name === name)?.default;
	const value = attempt(InvalidValue, () => read(given ?? usual));
	if (!(value instanceof InvalidValue)) return value;
	throw new InvalidInput(
		`The rule ${labelOf(name)} of the credential can't be read: it must be ${value.message}`,
		'As long as it is unclear what is allowed, nothing is signed.',
	);
}

const ANY = '*';

export const address: Read<Address> = (given) => {
	const text = typeof given === 'string' ? given : '';
	if (/^0x/i.test(text)) return `0x${evmAddress(text).slice(2).toLowerCase()}`;
	return /^(T|41)/.test(text)
		? `41${witnessAccount(text)}`
		: mustBe(
				'a list of addresses: 0x and 40 hex digits, T and 33 letters and digits, or 41 and 40 hex digits',
			);
};

const contract: Read<Address> = (given) => (given === ANY ? ANY : address(given));

const chainId: Read<bigint> = (given) => {
	const id = wholeAmount(given);
	return id > 0n ? id : mustBe('a list of chain IDs of 1 or more');
};

/** Text alone: what is left of a list must not be taken for an empty one, which may mean any. */
function optionalList<T>(read: Read<T>): Read<readonly T[]> {
	const list = listOf(read);
	return (given) => {
		const text = asText(given);
		if (text === '') return [];
		if (text.startsWith('['))
			return mustBe('a list with commas or blanks between, without brackets');
		const entries = list(text);
		return entries.length > 0 ? entries : mustBe('a list of at least one, or empty');
	};
}

function coins(decimals: number): Read<bigint> {
	const read = coinsOf(decimals);
	return (given) => (asText(given) === '' ? 0n : read(given));
}

const USUAL_EXPIRY_MINUTES = 60n;

const readMinutes = wholeNumber(1);

const minutes: Read<bigint> = (given) => {
	const text = asText(given);
	return text === '' ? USUAL_EXPIRY_MINUTES : BigInt(readMinutes(text));
};

/** A number, too: programs may have written it. */
function asText(given: unknown): string {
	if (typeof given === 'number') return String(given);
	return typeof given === 'string' ? given.trim() : mustBe('text');
}

const LIMIT = /^(\S+)\s+(\d+)$/;

const limits: Read<ReadonlyMap<Address, bigint>> = (given) => {
	const found = new Map<Address, bigint>();
	for (const line of asText(given).split('\n')) {
		if (line.trim() === '') continue;
		const [, token = '', most = ''] = LIMIT.exec(line.trim()) ?? mustBe(WANTED_LIMITS);
		const key = address(token);
		if (found.has(key)) return mustBe('a list that has each token once');
		found.set(key, wholeAmount(most));
	}
	return found;
};

const WANTED_LIMITS =
	'one token in each line: its address, a blank, and a whole number of its smallest unit';

const kinds: Read<readonly string[]> = (given) => {
	const known = fields.flatMap(({ name, options = [] }) =>
		name === 'witnessKinds' ? options.map((option) => isRecord(option) && option.value) : [],
	);
	const chosen: readonly unknown[] = given === '' ? [] : Array.isArray(given) ? given : [given];
	return chosen.map((kind) =>
		typeof kind === 'string' && known.includes(kind) ? kind : mustBe(`some of ${known.join(', ')}`),
	);
};
