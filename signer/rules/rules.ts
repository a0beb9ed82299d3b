import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	catching,
	checksumAddress,
	unitsParser,
	ETHER_DECIMALS,
	SUN_DECIMALS,
	parseEvmAddress,
	InvalidInput,
	InvalidValue,
	isRecord,
	listParser,
	throwInvalidValue,
	parseBoolean,
	parseText,
	parseUint256,
	wholeNumberParser,
	parseWitnessAccount,
	formatWitnessAddresses,
	type Parse,
} from '../../nodes/core';
import { ruleFields as fields } from '../credentials/rules';

/** The rules of a credential's owner. Amounts are in the smallest unit. */
export interface Rules {
	readonly chainIds: readonly bigint[];
	readonly maxAmount: bigint;
	readonly maxFee: bigint;
	/** An empty list allows every address. */
	readonly recipients: readonly Address[];
	readonly contracts: readonly Address[];
	/** Whether `*` is among the contracts. */
	readonly anyContract: boolean;
	readonly tokenLimits: ReadonlyMap<Address, bigint>;
	readonly allowDeployments: boolean;
	readonly allowMessages: boolean;
	readonly allowTypedData: boolean;
	readonly witnessKinds: readonly string[];
	readonly witnessMaxAmount: bigint;
	readonly witnessMaxFee: bigint;
	/** The limit in minutes. */
	readonly witnessMaxExpiry: bigint;
}

/**
 * `0x` and 40 hex digits on EVM chains, 41 and 40 on the witness chain, in lower case. An address that is allowed on
 * one of them is not allowed on the other, where the same 20 bytes may be a contract of somebody else.
 */
export type Address = string;

/** The rules that bind an amount of coins, and the decimals of these. */
export const COIN_RULE_DECIMALS = {
	maxAmount: ETHER_DECIMALS,
	maxFee: ETHER_DECIMALS,
	witnessMaxAmount: SUN_DECIMALS,
	witnessMaxFee: SUN_DECIMALS,
} as const;

export type CoinRule = keyof typeof COIN_RULE_DECIMALS;

/** Parses all rules, or throws a refusal that names the unreadable one. */
export function parseRules(credential: ICredentialDataDecryptedObject): Rules {
	const rule = <T>(name: string, read: Parse<T>): T => parseRule(name, credential, read);
	const coinRule = (name: CoinRule) => rule(name, coinsParser(COIN_RULE_DECIMALS[name]));
	const contracts = rule('contracts', optionalListParser(parseContract));
	return {
		chainIds: rule('chainIds', optionalListParser(parseChainId)),
		maxAmount: coinRule('maxAmount'),
		maxFee: coinRule('maxFee'),
		recipients: rule('recipients', optionalListParser(parseAddress)),
		contracts: contracts.filter((one) => one !== ANY_CONTRACT),
		anyContract: contracts.includes(ANY_CONTRACT),
		tokenLimits: rule('tokenLimits', parseTokenLimits),
		allowDeployments: rule('allowDeployments', parseBoolean),
		allowMessages: rule('allowMessages', parseBoolean),
		allowTypedData: rule('allowTypedData', parseBoolean),
		witnessKinds: rule('witnessKinds', parseWitnessKinds),
		witnessMaxAmount: coinRule('witnessMaxAmount'),
		witnessMaxFee: coinRule('witnessMaxFee'),
		witnessMaxExpiry: rule('witnessMaxExpiry', parseMinutes),
	};
}

/** Formats the address as people write it. */
export function formatAddress(address: Address): string {
	return address.startsWith('0x')
		? checksumAddress(address)
		: formatWitnessAddresses(address.slice(2)).base58;
}

/** Returns the label in the form. */
export function getRuleLabel(name: string): string {
	return fields.find((field) => field.name === name)?.displayName ?? name;
}

function parseRule<T>(
	name: string,
	credential: ICredentialDataDecryptedObject,
	parse: Parse<T>,
): T {
	const value = catching(InvalidValue, () => parse(getRule(name, credential)));
	if (!(value instanceof InvalidValue)) return value;
	throw new InvalidInput(
		`The rule ${getRuleLabel(name)} of the credential can't be read: it must be ${value.message}`,
		'As long as it is unclear what is allowed, nothing is signed.',
	);
}

/** A rule that an older credential lacks has its default; a rule whose expression gives nothing is refused. */
function getRule(name: string, credential: ICredentialDataDecryptedObject): unknown {
	if (!Object.hasOwn(credential, name)) return fields.find((field) => field.name === name)?.default;
	return credential[name] ?? throwInvalidValue('a value: empty text, where nothing is to be said');
}

const ANY_CONTRACT = '*';

const parseAddress: Parse<Address> = (given) => {
	const text = typeof given === 'string' ? given : '';
	if (/^0x/i.test(text)) return `0x${parseEvmAddress(text).slice(2).toLowerCase()}`;
	return /^(T|41)/.test(text)
		? `41${parseWitnessAccount(text)}`
		: throwInvalidValue(
				'a list of addresses: 0x and 40 hex digits, T and 33 letters and digits, or 41 and 40 hex digits',
			);
};

const parseContract: Parse<Address> = (given) =>
	given === ANY_CONTRACT ? ANY_CONTRACT : parseAddress(given);

const parseChainId: Parse<bigint> = (given) => {
	const id = parseUint256(given);
	return id > 0n ? id : throwInvalidValue('a list of chain IDs of 1 or more');
};

/** Accepts text alone: an empty result of a list must not be taken for an empty rule, which may mean any. */
function optionalListParser<T>(read: Parse<T>): Parse<readonly T[]> {
	const list = listParser(read);
	return (given) => {
		const text = parseText(given);
		if (text === '') return [];
		if (text.startsWith('['))
			return throwInvalidValue('a list with commas or blanks between, without brackets');
		const entries = list(text);
		return entries.length > 0 ? entries : throwInvalidValue('a list of at least one, or empty');
	};
}

function coinsParser(decimals: number): Parse<bigint> {
	const read = unitsParser(decimals);
	return (given) => (parseText(given) === '' ? 0n : read(given));
}

const USUAL_EXPIRY_MINUTES = 60n;

const parseWholeMinutes = wholeNumberParser(1);

const parseMinutes: Parse<bigint> = (given) => {
	const text = parseText(given);
	return text === '' ? USUAL_EXPIRY_MINUTES : BigInt(parseWholeMinutes(text));
};

const TOKEN_LIMIT_PATTERN = /^(\S+)\s+(\d+)$/;

const parseTokenLimits: Parse<ReadonlyMap<Address, bigint>> = (given) => {
	const found = new Map<Address, bigint>();
	for (const line of parseText(given).split('\n')) {
		if (line.trim() === '') continue;
		const [, token = '', most = ''] =
			TOKEN_LIMIT_PATTERN.exec(line.trim()) ?? throwInvalidValue(EXPECTED_TOKEN_LIMITS);
		const key = parseAddress(token);
		if (found.has(key)) return throwInvalidValue('a list that has each token once');
		found.set(key, parseUint256(most));
	}
	return found;
};

const EXPECTED_TOKEN_LIMITS =
	'one token in each line: its address, a blank, and a whole number of its smallest unit';

const parseWitnessKinds: Parse<readonly string[]> = (given) => {
	const known = fields.flatMap(({ name, options = [] }) =>
		name === 'witnessKinds' ? options.map((option) => isRecord(option) && option.value) : [],
	);
	const chosen: readonly unknown[] = given === '' ? [] : Array.isArray(given) ? given : [given];
	return chosen.map((kind) =>
		typeof kind === 'string' && known.includes(kind)
			? kind
			: throwInvalidValue(`some of ${known.join(', ')}`),
	);
};
