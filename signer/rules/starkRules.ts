import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	FEE_DECIMALS,
	parseFeltNumber,
	parseShortString,
	parseText,
	type Parse,
	InvalidValue,
	raise,
} from '../../nodes/core';
import { starkRuleFields } from '../credentials/starkRules';
import { chainIdsParser, parseBudget } from './budget';
import { FAMILY_TERMS } from './families';
import type { Policy } from './policy';
import { coinsParser, createRuleParser, optionalListParser } from './ruleParser';
import { parseStarkRuleAddress } from './starkAddresses';
import { parseStarkContracts } from './starkContracts';
import { tokenLimitsParser } from './tokenLimits';

/** The rules of a credential's owner about transactions of STARK rollups. */
export interface StarkRules extends Policy {
	readonly curve: 'stark';
}

/** Parses all rules, or throws a refusal that names the unreadable one. */
export function parseStarkRules(credential: ICredentialDataDecryptedObject): StarkRules {
	const rule = createRuleParser(credential, starkRuleFields);
	const budget = parseBudget(rule);
	const addresses = optionalListParser(parseStarkRuleAddress);
	return {
		curve: 'stark',
		family: FAMILY_TERMS.stark,
		chainIds: rule('chainIds', chainIdsParser(budget, parseChainId)),
		...(budget && { budget }),
		maxAmount: 0n,
		maxFee: rule('maxFee', coinsParser(FEE_DECIMALS)),
		recipients: { addresses: rule('recipients', addresses), keys: [] },
		spenders: rule('spenders', addresses),
		contracts: rule('contracts', parseStarkContracts),
		tokenLimits: rule('tokenLimits', tokenLimitsParser(parseStarkRuleAddress)),
		allowDeployments: false,
	};
}

const CHAIN_NAME_PATTERN = /^[A-Za-z]\w*$/;

const parseChainId: Parse<bigint> = (given) => {
	const text = parseText(given);
	if (CHAIN_NAME_PATTERN.test(text)) return parseShortString(text);
	return /^0x/i.test(text)
		? parseFeltNumber(text)
		: raise(new InvalidValue('a list of chain IDs such as SN_MAIN, or as 0x-hex'));
};
