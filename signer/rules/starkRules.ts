import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	FEE_DECIMALS,
	parseFeltNumber,
	parseShortString,
	parseText,
	throwInvalidValue,
	type Parse,
} from '../../nodes/core';
import { starkRuleFields } from '../credentials/starkRules';
import { chainIdsParser, parseBudget, type Budget } from './budget';
import { coinsParser, createRuleParser, optionalListParser } from './ruleParser';
import { parseStarkRuleAddress, type StarkAddress } from './starkAddresses';
import { parseStarkContracts, type StarkContracts } from './starkContracts';
import { tokenLimitsParser, type TokenLimit } from './tokenLimits';

/** The rules of a credential's owner about transactions of STARK rollups. */
export interface StarkRules {
	readonly chainIds: readonly bigint[];
	/** Undefined where nothing bounds the sum of all transactions. */
	readonly budget?: Budget;
	/** The amount is in the smallest unit. */
	readonly maxFee: bigint;
	/** An empty list allows every address. */
	readonly recipients: readonly StarkAddress[];
	/** An empty list allows the recipients. */
	readonly spenders: readonly StarkAddress[];
	readonly contracts: StarkContracts;
	readonly tokenLimits: ReadonlyMap<StarkAddress, TokenLimit>;
}

/** Parses all rules, or throws a refusal that names the unreadable one. */
export function parseStarkRules(credential: ICredentialDataDecryptedObject): StarkRules {
	const rule = createRuleParser(credential, starkRuleFields);
	const budget = parseBudget(rule);
	const addresses = optionalListParser(parseStarkRuleAddress);
	return {
		chainIds: rule('chainIds', chainIdsParser(budget, parseChainId)),
		...(budget && { budget }),
		maxFee: rule('maxFee', coinsParser(FEE_DECIMALS)),
		recipients: rule('recipients', addresses),
		spenders: rule('spenders', addresses),
		contracts: rule('contracts', parseStarkContracts),
		tokenLimits: rule('tokenLimits', tokenLimitsParser(parseStarkRuleAddress)),
	};
}

const CHAIN_NAME_PATTERN = /^[A-Za-z]\w*$/;

const parseChainId: Parse<bigint> = (given) => {
	const text = parseText(given);
	if (CHAIN_NAME_PATTERN.test(text)) return parseShortString(text);
	return /^0x/i.test(text)
		? parseFeltNumber(text)
		: throwInvalidValue('a list of chain IDs such as SN_MAIN, or as 0x-hex');
};
