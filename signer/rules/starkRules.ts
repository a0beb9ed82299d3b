import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	FEE_DECIMALS,
	parseFeltNumber,
	parseShortString,
	parseText,
	type Parse,
	InvalidValue,
	raise,
	computeSelector,
	encodeFelt,
} from '../../nodes/core';
import { starkRuleFields } from '../credentials/starkRules';
import { chainIdsParser, parseBudget } from './budget';
import { FAMILY_TERMS } from './families';
import type { Policy } from './policy';
import {
	coinsParser,
	createRuleParser,
	optionalListParser,
	EXPECTED_ENTRY,
	parseListText,
} from './ruleParser';
import { parseStarkRuleAddress, type StarkAddress } from './starkAddresses';
import { tokenLimitsParser } from './tokenLimits';
import {
	ANY_CONTRACT,
	EXPECTED_ONCE,
	type AllowedContracts,
	type AllowedFunctions,
} from './contracts';

/** The rules of a credential for STARK rollups. */
export interface StarkRules extends Policy {
	readonly curve: 'stark';
}

/** Parses all rules. Throws a refusal with the rule's name if a rule cannot be read. */
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

const NAME_PATTERN = /^[A-Za-z_]\w*$/;

/** Parses a list of contracts. Names of functions may follow a contract's address on the same line. */
export const parseStarkContracts: Parse<AllowedContracts> = (given) => {
	const text = parseListText(given);
	const entries = text.split('\n').flatMap(splitEntries);
	if (text !== '' && entries.length === 0) throw new InvalidValue(EXPECTED_ENTRY);
	const named = new Map<StarkAddress, AllowedFunctions>();
	for (const { contract, names } of entries) {
		if (contract === ANY_CONTRACT) continue;
		const address = parseStarkRuleAddress(contract);
		const known = named.get(address);
		if (known && (known !== 'all' || names.length > 0)) throw new InvalidValue(EXPECTED_ONCE);
		named.set(address, parseFunctions(names));
	}
	return { any: entries.some(({ contract }) => contract === ANY_CONTRACT), named };
};

const EXPECTED_FUNCTIONS =
	'a list in which names of functions such as mint come after the address of their contract, in its line, and none after *';

interface Entry {
	readonly contract: string;
	readonly names: string[];
}

function splitEntries(line: string): Entry[] {
	const entries: Entry[] = [];
	for (const word of line.split(/[\s,]+/).filter((part) => part !== '')) {
		if (!NAME_PATTERN.test(word)) entries.push({ contract: word, names: [] });
		else (entries.at(-1) ?? raise(new InvalidValue(EXPECTED_FUNCTIONS))).names.push(word);
	}
	const isAnyNamed = entries.some(
		({ contract, names }) => contract === ANY_CONTRACT && names.length > 0,
	);
	return isAnyNamed ? raise(new InvalidValue(EXPECTED_FUNCTIONS)) : entries;
}

/** The names of functions that call other functions. The rules cannot check what such a call does. */
const CALLING_NAMES_PATTERN =
	/^_*(try_?)?(multi_?call|execute|exec|aggregate|batch|default|l1_default)/i;

function parseFunctions(names: readonly string[]): AllowedFunctions {
	if (names.length === 0) return 'all';
	const calling = names.find((name) => CALLING_NAMES_PATTERN.test(name));
	return calling === undefined
		? new Map(names.map((name) => [encodeFelt(computeSelector(name)), { name }]))
		: raise(
				new InvalidValue(
					`a list without the function ${calling}, because that function can call any other function. To allow all functions of the contract, write only the contract's address in the line`,
				),
			);
}
