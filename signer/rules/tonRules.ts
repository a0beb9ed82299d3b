import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	NANOCOIN_DECIMALS,
	parseText,
	throwInvalidValue,
	unitsParser,
	WALLET_TYPES,
	type Parse,
	type WalletType,
} from '../../nodes/core';
import { tonRuleFields } from '../credentials/tonRules';
import { parseBudget, type Budget } from './budget';
import { createRuleParser, optionalListParser } from './ruleParser';
import { tokenLimitsParser, type TokenLimit } from './tokenLimits';
import { parseTonRuleAddress, type TonAddress } from './tonAddresses';

/** The addresses that may get any body. */
export interface TonContracts {
	/** Whether `*` is among them. */
	readonly any: boolean;
	readonly named: readonly TonAddress[];
}

/** The rules of a credential's owner about transfers on the TON chain. */
export interface TonRules {
	/** Undefined where nothing bounds the sum of all transfers. */
	readonly budget?: Budget;
	/** The kind of the one wallet that is signed for. */
	readonly walletType: WalletType;
	/** The amount is in nanocoins. */
	readonly maxAmount: bigint | 'unlimited';
	/** The highest fee, in nanocoins. */
	readonly maxFee: bigint;
	/** An empty list allows every address. */
	readonly recipients: readonly TonAddress[];
	readonly contracts: TonContracts;
	/** The keys are the owner's jetton wallets. */
	readonly jettonLimits: ReadonlyMap<TonAddress, TokenLimit>;
}

/** Parses all rules, or throws a refusal that names the unreadable one. */
export function parseTonRules(credential: ICredentialDataDecryptedObject): TonRules {
	const rule = createRuleParser(credential, tonRuleFields);
	const budget = parseBudget(rule);
	return {
		...(budget && { budget }),
		walletType: rule('walletType', parseWalletType),
		maxAmount: rule('maxAmount', parseMaxAmount),
		maxFee: rule('maxFee', parseMaxFee),
		recipients: rule('recipients', optionalListParser(parseTonRuleAddress)),
		contracts: rule('contracts', parseTonContracts),
		jettonLimits: rule('jettonLimits', tokenLimitsParser(parseTonRuleAddress)),
	};
}

const parseWalletType: Parse<WalletType> = (given) =>
	WALLET_TYPES.find((type) => type === given) ??
	throwInvalidValue(`one of ${WALLET_TYPES.join(', ')}`);

const UNLIMITED = 'unlimited';
const parseCoins = unitsParser(NANOCOIN_DECIMALS);

const parseMaxAmount: Parse<bigint | 'unlimited'> = (given) => {
	const text = parseText(given);
	if (text === UNLIMITED) return UNLIMITED;
	return parseCoinsOrNone(text);
};

const parseMaxFee: Parse<bigint> = (given) => parseCoinsOrNone(parseText(given));

function parseCoinsOrNone(text: string): bigint {
	return text === '' ? 0n : parseCoins(text);
}

const ANY_CONTRACT = '*';

const parseEntry: Parse<TonAddress> = (given) =>
	given === ANY_CONTRACT ? ANY_CONTRACT : parseTonRuleAddress(given);

const parseEntries = optionalListParser(parseEntry);

const parseTonContracts: Parse<TonContracts> = (given) => {
	const entries = parseEntries(given);
	return {
		any: entries.includes(ANY_CONTRACT),
		named: entries.filter((one) => one !== ANY_CONTRACT),
	};
};
