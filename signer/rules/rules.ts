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
import { findFamily, parseAddress } from './addresses';
import { chainIdsParser, parseBudget, parseDaily } from './budget';
import { parseContracts } from './contracts';
import type { FamilyTerms, Policy } from './policy';
import {
	choicesParser,
	coinsParser,
	createRuleParser,
	optionalListParser,
	type ParseRule,
} from './ruleParser';
import { parseTokenLimits } from './tokenLimits';

/** The rules of a credential for EVM chains and the witness chain, which share its lists of addresses. */
export interface Rules extends Policy {
	readonly curve: 'secp256k1';
	readonly allowMessages: boolean;
	readonly allowTypedData: boolean;
	/** For the kinds of typed data that are read. */
	readonly typedData: Policy;
	readonly witness: Policy;
}

const EVM: FamilyTerms = {
	rules: { amount: 'maxAmount', fee: 'maxFee', limits: 'tokenLimits', kinds: 'typedDataKinds' },
	coinDecimals: ETHER_DECIMALS,
	nonceName: 'nonce',
	isNonceOfOthers: false,
	formatChainId: String,
	obeysItself: true,
	owns: (address) => findFamily(address) === 'evm',
	tokenWords: { move: 'take', unit: 'tokens', place: '', party: 'for' },
};

const WITNESS: FamilyTerms = {
	...EVM,
	rules: {
		amount: 'witnessMaxAmount',
		fee: 'witnessMaxFee',
		limits: 'tokenLimits',
		kinds: 'witnessKinds',
	},
	coinDecimals: SUN_DECIMALS,
	owns: (address) => findFamily(address) === 'witness',
};

/** Parses all rules, or throws a refusal that names the unreadable one. */
export function parseRules(credential: ICredentialDataDecryptedObject): Rules {
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
			family: WITNESS,
			kinds: rule('witnessKinds', choicesParser('witnessKinds')),
			maxAmount: rule('witnessMaxAmount', parseSun),
			maxFee: rule('witnessMaxFee', parseSun),
			maxExpiry: rule('witnessMaxExpiry', parseMinutes),
		},
	};
}

function parseEvmRules(rule: ParseRule): Policy {
	const budget = parseBudget(rule);
	return {
		family: EVM,
		chainIds: rule('chainIds', chainIdsParser(budget, parseChainId)),
		...(budget && { budget }),
		maxAmount: rule('maxAmount', parseEther),
		maxFee: rule('maxFee', parseEther),
		recipients: rule('recipients', optionalListParser(parseAddress)),
		spenders: rule('spenders', optionalListParser(parseAddress)),
		contracts: rule('contracts', parseContracts),
		tokenLimits: rule('tokenLimits', parseTokenLimits),
		allowDeployments: rule('allowDeployments', parseBoolean),
	};
}

/** Authorizations that have a bound of their own take no part in that of the nonces of transactions. */
function parseTypedDataRules(rule: ParseRule, { budget, ...evm }: Policy): Policy {
	const kinds = rule('typedDataKinds', choicesParser('typedDataKinds'));
	const dailyAuthorizations = rule('dailyAuthorizations', parseDaily);
	return dailyAuthorizations === undefined
		? { ...evm, kinds, ...(budget && { budget }) }
		: { ...evm, kinds, dailyAuthorizations };
}

const parseChainId: Parse<bigint> = (given) => {
	const id = parseUint256(given);
	return id > 0n ? id : raise(new InvalidValue('a list of chain IDs of 1 or more'));
};

const parseEther = coinsParser(ETHER_DECIMALS);
const parseSun = coinsParser(SUN_DECIMALS);

const USUAL_EXPIRY_MINUTES = 60n;

const parseWholeMinutes = wholeNumberParser(1);

const parseMinutes: Parse<bigint> = (given) => {
	const text = parseText(given);
	return text === '' ? USUAL_EXPIRY_MINUTES : BigInt(parseWholeMinutes(text));
};
