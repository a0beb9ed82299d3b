import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	ETHER_DECIMALS,
	parseBoolean,
	parseText,
	parseUint256,
	SUN_DECIMALS,
	throwInvalidValue,
	unitsParser,
	wholeNumberParser,
	type Parse,
} from '../../nodes/core';
import { parseAddress, type Address } from './addresses';
import { chainIdsParser, parseBudget, type Budget } from './budget';
import { parseContracts, type AllowedContracts } from './contracts';
import { choicesParser, createRuleParser, optionalListParser } from './ruleParser';
import { parseTokenLimits, type TokenLimits } from './tokenLimits';

/** The rules of a credential's owner. Amounts are in the smallest unit. */
export interface Rules {
	readonly chainIds: readonly bigint[];
	/** Undefined where nothing bounds the sum of all transactions. */
	readonly budget?: Budget;
	readonly maxAmount: bigint;
	readonly maxFee: bigint;
	/** An empty list allows every address. */
	readonly recipients: readonly Address[];
	/** An empty list allows the recipients. */
	readonly spenders: readonly Address[];
	readonly contracts: AllowedContracts;
	readonly tokenLimits: TokenLimits;
	readonly allowDeployments: boolean;
	readonly allowMessages: boolean;
	readonly allowTypedData: boolean;
	readonly typedDataKinds: readonly string[];
	readonly witnessKinds: readonly string[];
	readonly witnessMaxAmount: bigint;
	readonly witnessMaxFee: bigint;
	/** The limit in minutes. */
	readonly witnessMaxExpiry: bigint;
}

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
	const rule = createRuleParser(credential);
	const coinRule = (name: CoinRule) => rule(name, coinsParser(COIN_RULE_DECIMALS[name]));
	const budget = parseBudget(rule);
	return {
		chainIds: rule('chainIds', chainIdsParser(budget, parseChainId)),
		...(budget && { budget }),
		maxAmount: coinRule('maxAmount'),
		maxFee: coinRule('maxFee'),
		recipients: rule('recipients', optionalListParser(parseAddress)),
		spenders: rule('spenders', optionalListParser(parseAddress)),
		contracts: rule('contracts', parseContracts),
		tokenLimits: rule('tokenLimits', parseTokenLimits),
		allowDeployments: rule('allowDeployments', parseBoolean),
		allowMessages: rule('allowMessages', parseBoolean),
		allowTypedData: rule('allowTypedData', parseBoolean),
		typedDataKinds: rule('typedDataKinds', choicesParser('typedDataKinds')),
		witnessKinds: rule('witnessKinds', choicesParser('witnessKinds')),
		witnessMaxAmount: coinRule('witnessMaxAmount'),
		witnessMaxFee: coinRule('witnessMaxFee'),
		witnessMaxExpiry: rule('witnessMaxExpiry', parseMinutes),
	};
}

const parseChainId: Parse<bigint> = (given) => {
	const id = parseUint256(given);
	return id > 0n ? id : throwInvalidValue('a list of chain IDs of 1 or more');
};

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
