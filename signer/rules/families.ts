import {
	ETHER_DECIMALS,
	FEE_DECIMALS,
	NANOCOIN_DECIMALS,
	SUN_DECIMALS,
	type Family,
} from '../../nodes/core';
import { FAMILIES_OF_KEYS } from '../credentials/families';
import { findFamily } from './addresses';
import type { FamilyTerms } from './policy';
import { formatChainId } from './stark';

/** The names of the lists of addresses, which are the same in all families. */
const LISTS = { recipients: 'recipients', contracts: 'contracts' } as const;

/** The names of each family's rules, and the notation of its values. */
export const FAMILY_TERMS: Readonly<Record<Family, FamilyTerms>> = {
	evm: {
		...FAMILIES_OF_KEYS.evm,
		rules: {
			amount: 'maxAmount',
			fee: 'maxFee',
			expiry: null,
			limits: 'tokenLimits',
			kinds: 'typedDataKinds',
			...LISTS,
		},
		coinDecimals: ETHER_DECIMALS,
		formatChainId: String,
		obeysItself: true,
		owns: (address) => findFamily(address) === 'evm',
		tokenWords: { move: 'take', unit: 'tokens', place: '' },
	},
	witness: {
		...FAMILIES_OF_KEYS.witness,
		rules: {
			amount: 'witnessMaxAmount',
			fee: 'witnessMaxFee',
			expiry: 'witnessMaxExpiry',
			limits: 'tokenLimits',
			kinds: 'witnessKinds',
			...LISTS,
		},
		coinDecimals: SUN_DECIMALS,
		formatChainId: String,
		obeysItself: true,
		owns: (address) => findFamily(address) === 'witness',
		tokenWords: { move: 'take', unit: 'tokens', place: '' },
	},
	ton: {
		...FAMILIES_OF_KEYS.ton,
		rules: {
			amount: 'maxAmount',
			fee: 'maxFee',
			expiry: null,
			limits: 'jettonLimits',
			kinds: null,
			...LISTS,
		},
		coinDecimals: NANOCOIN_DECIMALS,
		formatChainId: String,
		obeysItself: false,
		owns: () => true,
		tokenWords: { move: 'send', unit: 'jettons', place: 'the jetton wallet ' },
	},
	stark: {
		...FAMILIES_OF_KEYS.stark,
		rules: {
			amount: null,
			fee: 'maxFee',
			expiry: null,
			limits: 'tokenLimits',
			kinds: null,
			...LISTS,
		},
		coinDecimals: FEE_DECIMALS,
		formatChainId,
		obeysItself: true,
		owns: () => true,
		tokenWords: { move: 'take', unit: 'tokens', place: '' },
	},
};
