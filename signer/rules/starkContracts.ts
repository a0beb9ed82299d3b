import { computeSelector, encodeFelt, type Parse, InvalidValue, raise } from '../../nodes/core';
import {
	ANY_CONTRACT,
	EXPECTED_ONCE,
	type AllowedContracts,
	type AllowedFunctions,
} from './contracts';
import { EXPECTED_ENTRY, parseListText } from './ruleParser';
import { parseStarkRuleAddress, type StarkAddress } from './starkAddresses';

const NAME_PATTERN = /^[A-Za-z_]\w*$/;

/** Parses a list in which names of functions may follow an address on the same line. */
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

/** Functions that call others: the rules cannot judge their arguments. */
const CALLING_NAMES_PATTERN =
	/^_*(try_?)?(multi_?call|execute|exec|aggregate|batch|default|l1_default)/i;

function parseFunctions(names: readonly string[]): AllowedFunctions {
	if (names.length === 0) return 'all';
	const calling = names.find((name) => CALLING_NAMES_PATTERN.test(name));
	return calling === undefined
		? new Map(names.map((name) => [encodeFelt(computeSelector(name)), { name }]))
		: raise(
				new InvalidValue(
					`a list without ${calling}, which may call any other function; the address of its contract alone allows it`,
				),
			);
}
