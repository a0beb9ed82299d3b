import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	ETHER_DECIMALS,
	parseBoolean,
	parseText,
	parseUint256,
	SUN_DECIMALS,
	wholeNumberParser,
	type Parse,
	InvalidValue,
	raise,
} from '../../nodes/core';
import type { SharingFamily } from '../credentials/families';
import {
	TYPED_DATA_KINDS,
	WITNESS_KINDS,
	type TypedDataKind,
	type WitnessKind,
} from '../credentials/rules';
import { parseAddress } from './addresses';
import { chainIdsParser, parseBudget, parseDaily } from './budget';
import { parseContracts } from './contracts';
import { FAMILY_TERMS } from './families';
import type { Policy } from './policy';
import { parseRecipients } from './recipients';
import {
	choicesParser,
	coinsParser,
	createRuleParser,
	optionalListParser,
	type ParseRule,
} from './ruleParser';
import { parseTokenLimits } from './tokenLimits';

/** The rules about TRON. */
export interface WitnessPolicy extends Policy {
	readonly kinds: readonly WitnessKind[];
}

/** The rules for the kinds of typed data that can be decoded. */
interface TypedDataPolicy extends Policy {
	readonly kinds: readonly TypedDataKind[];
}

/** The rules of the credential for EVM chains, and those of the families that share its key and its lists of addresses. */
export interface Secp256k1Rules extends Policy, Readonly<Record<SharingFamily, Policy>> {
	readonly curve: 'secp256k1';
	readonly allowMessages: boolean;
	readonly allowTypedData: boolean;
	/** The rules for the kinds of typed data that can be decoded. */
	readonly typedData: TypedDataPolicy;
	readonly witness: WitnessPolicy;
}

/** Parses all rules. Throws a refusal with the rule's name if a rule cannot be read. */
export function parseSecp256k1Rules(credential: ICredentialDataDecryptedObject): Secp256k1Rules {
	const rule = createRuleParser(credential);
	const evm = parseEvmRules(rule);
	return {
		...evm,
		curve: 'secp256k1',
		allowMessages: rule('allowMessages', parseBoolean),
		allowTypedData: rule('allowTypedData', parseBoolean),
		typedData: parseTypedDataRules(rule, evm),
		witness: {
			...evm,
			family: FAMILY_TERMS.witness,
			kinds: rule('witnessKinds', choicesParser(WITNESS_KINDS)),
			maxAmount: rule('witnessMaxAmount', parseSun),
			maxFee: rule('witnessMaxFee', parseSun),
			maxExpiry: rule('witnessMaxExpiry', parseMinutes),
		},
	};
}

function parseEvmRules(rule: ParseRule): Policy {
	const budget = parseBudget(rule);
	return {
		family: FAMILY_TERMS.evm,
		chainIds: rule('chainIds', chainIdsParser(budget, parseChainId)),
		...(budget && { budget }),
		maxAmount: rule('maxAmount', parseEther),
		maxFee: rule('maxFee', parseEther),
		recipients: rule('recipients', parseRecipients),
		spenders: rule('spenders', optionalListParser(parseAddress)),
		contracts: rule('contracts', parseContracts),
		tokenLimits: rule('tokenLimits', parseTokenLimits),
		allowDeployments: rule('allowDeployments', parseBoolean),
	};
}

/** Parses the rules about typed data. Authorizations with their own daily limit do not count for the limit on transactions. */
function parseTypedDataRules(rule: ParseRule, { budget, ...evm }: Policy): TypedDataPolicy {
	const kinds = rule('typedDataKinds', choicesParser(TYPED_DATA_KINDS));
	const dailyAuthorizations = rule('dailyAuthorizations', parseDaily);
	return dailyAuthorizations === undefined
		? { ...evm, kinds, ...(budget && { budget }) }
		: { ...evm, kinds, dailyAuthorizations };
}

export const parseChainId: Parse<bigint> = (given) => {
	const id = parseUint256(given);
	return id > 0n ? id : raise(new InvalidValue('a list of chain IDs, each a number of 1 or more'));
};

const parseEther = coinsParser(ETHER_DECIMALS);
const parseSun = coinsParser(SUN_DECIMALS);

const DEFAULT_EXPIRY_MINUTES = 60n;

const parseWholeMinutes = wholeNumberParser(1);

const parseMinutes: Parse<bigint> = (given) => {
	const text = parseText(given);
	return text === '' ? DEFAULT_EXPIRY_MINUTES : BigInt(parseWholeMinutes(text));
};
