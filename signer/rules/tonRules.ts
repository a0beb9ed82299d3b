import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	NANOCOIN_DECIMALS,
	parseText,
	WALLET_TYPES,
	type Parse,
	type WalletType,
	InvalidValue,
	raise,
} from '../../nodes/core';
import { tonRuleFields } from '../credentials/tonRules';
import { parseBudget } from './budget';
import { ANY_CONTRACT, type AllowedContracts } from './contracts';
import { FAMILY_TERMS } from './families';
import type { Policy } from './policy';
import { coinsParser, createRuleParser, optionalListParser } from './ruleParser';
import { tokenLimitsParser } from './tokenLimits';
import { parseTonRuleAddress, type TonAddress } from './tonAddresses';

/** The rules of a credential for transfers on the TON chain. */
export interface TonRules extends Policy {
	readonly curve: 'ed25519';
	/** The kind of the only wallet that is signed for. */
	readonly walletType: WalletType;
}

/** Parses all rules. Throws a refusal with the rule's name if a rule cannot be read. */
export function parseTonRules(credential: ICredentialDataDecryptedObject): TonRules {
	const rule = createRuleParser(credential, tonRuleFields);
	const budget = parseBudget(rule);
	return {
		curve: 'ed25519',
		family: FAMILY_TERMS.ton,
		chainIds: [],
		...(budget && { budget }),
		walletType: rule('walletType', parseWalletType),
		maxAmount: rule('maxAmount', parseMaxAmount),
		maxFee: rule('maxFee', parseCoins),
		recipients: {
			addresses: rule('recipients', optionalListParser(parseTonRuleAddress)),
			keys: [],
		},
		contracts: rule('contracts', parseTonContracts),
		// Each key of the limits is the address of the owner's own jetton wallet.
		tokenLimits: rule('jettonLimits', tokenLimitsParser(parseTonRuleAddress)),
		spenders: [],
		allowDeployments: false,
	};
}

const parseWalletType: Parse<WalletType> = (given) =>
	WALLET_TYPES.find((type) => type === given) ??
	raise(new InvalidValue(`one of ${WALLET_TYPES.join(', ')}`));

const UNLIMITED = 'unlimited';
const parseCoins = coinsParser(NANOCOIN_DECIMALS);

const parseMaxAmount: Parse<bigint | 'unlimited'> = (given) =>
	parseText(given) === UNLIMITED ? UNLIMITED : parseCoins(given);

const parseEntry: Parse<TonAddress> = (given) =>
	given === ANY_CONTRACT ? ANY_CONTRACT : parseTonRuleAddress(given);

const parseEntries = optionalListParser(parseEntry);

const parseTonContracts: Parse<AllowedContracts> = (given) => {
	const entries = parseEntries(given);
	return {
		any: entries.includes(ANY_CONTRACT),
		named: new Map(entries.filter((one) => one !== ANY_CONTRACT).map((one) => [one, 'all'])),
	};
};
