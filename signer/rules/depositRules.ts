import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	ETHER_DECIMALS,
	InvalidValue,
	MAX_UINT256,
	parseText,
	SUN_DECIMALS,
	type Parse,
	type SweptFamily,
	raise,
} from '../../nodes/core';
import { depositRuleFields } from '../credentials/depositRules';
import { findFamily, formatAddress, parseAddress, type Address } from './addresses';
import { chainIdsParser } from './budget';
import { parseContracts } from './contracts';
import { FAMILY_TERMS } from './families';
import type { FamilyTerms, Policy, Sweep } from './policy';
import { coinsParser, createRuleParser, optionalListParser } from './ruleParser';
import { parseChainId } from './rules';

/** The policy of a chain from which everything is sent to one destination. */
export interface SweepPolicy extends Policy {
	readonly sweep: Sweep;
	/** The tokens that may be transferred. */
	readonly tokens: readonly Address[];
}

/** The rules of a credential that sweeps deposit addresses to one destination. */
export interface DepositRules extends Readonly<Record<SweptFamily, SweepPolicy>> {
	readonly curve: 'deposits';
	/** For authorizations of EIP-3009. */
	readonly typedData: Policy;
}

/** Parses all rules. Throws a refusal with the rule's name if a rule cannot be read. */
export function parseDepositRules(credential: ICredentialDataDecryptedObject): DepositRules {
	const rule = createRuleParser(credential, depositRuleFields);
	const tokens = rule('tokens', optionalListParser(parseAddress));
	const toEvm = rule('evmDestination', destinationParser('evm', tokens));
	const toWitness = rule('witnessDestination', destinationParser('witness', tokens));
	const evm = buildPolicy('evm', tokens, toEvm, {
		chainIds: rule('chainIds', chainIdsParser(undefined, parseChainId)),
		maxFee: rule('maxFee', coinsParser(ETHER_DECIMALS)),
	});
	return {
		curve: 'deposits',
		evm,
		typedData: {
			...evm,
			kinds: ['transferWithAuthorization'],
			tokenLimits: new Map(evm.tokens.map((token) => [token, ANY_AMOUNT])),
		},
		witness: buildPolicy('witness', tokens, toWitness, {
			chainIds: [],
			maxFee: rule('witnessMaxFee', coinsParser(SUN_DECIMALS)),
			kinds: ['transfer', 'contractCall'],
			maxExpiry: MAX_EXPIRY_MINUTES,
		}),
	};
}

const MAX_EXPIRY_MINUTES = 60n;
const ANY_AMOUNT = { most: MAX_UINT256, decimals: undefined };
const ZERO_DIGITS = '0'.repeat(40);

/** Returns a parser of a family's destination. The address may be empty. */
function destinationParser(
	family: SweptFamily,
	tokens: readonly Address[],
): Parse<Address | undefined> {
	return (given) => {
		const text = parseText(given);
		if (text === '') return undefined;
		const address = parseAddress(text);
		if (findFamily(address) !== family) throw new InvalidValue(EXPECTED_DESTINATIONS[family]);
		if (address.endsWith(ZERO_DIGITS))
			throw new InvalidValue('an address other than the zero address, where all is lost');
		return tokens.includes(address)
			? raise(new InvalidValue('the address of an account, not of a token in Tokens'))
			: address;
	};
}

/** For error texts: how the destination of each family must be written. */
const EXPECTED_DESTINATIONS: Readonly<Record<SweptFamily, string>> = {
	evm: 'one address: 0x and 40 hex digits',
	witness: 'one address: T followed by 33 letters and digits, or 41 followed by 40 hex digits',
};

/** The names of each family's rules in the credential of deposits. */
const RULES: Readonly<Record<SweptFamily, FamilyTerms['rules']>> = {
	evm: {
		...FAMILY_TERMS.evm.rules,
		amount: null,
		contracts: 'tokens',
		kinds: null,
		limits: 'tokens',
		recipients: 'evmDestination',
	},
	witness: {
		...FAMILY_TERMS.witness.rules,
		amount: null,
		contracts: 'tokens',
		expiry: null,
		kinds: null,
		limits: 'tokens',
		recipients: 'witnessDestination',
	},
};

type Bounds = Pick<Policy, 'chainIds' | 'maxFee' | 'kinds' | 'maxExpiry'>;

/** The only function of a token that the rules allow. */
const TRANSFER = 'transfer(address,uint256)';

function buildPolicy(
	family: SweptFamily,
	all: readonly Address[],
	destination: Address | undefined,
	bounds: Bounds,
): SweepPolicy {
	const terms = { ...FAMILY_TERMS[family], rules: RULES[family] };
	const tokens = [...new Set(all)].filter(terms.owns);
	const destinations = destination === undefined ? [] : [destination];
	return {
		...bounds,
		family: terms,
		sweep: { destination },
		tokens,
		maxAmount: 'unlimited',
		recipients: { addresses: destinations, keys: [] },
		spenders: destinations,
		contracts: parseContracts(
			tokens.map((token) => `${formatAddress(token)} ${TRANSFER}`).join('\n'),
		),
		tokenLimits: new Map(),
		allowDeployments: false,
	};
}
