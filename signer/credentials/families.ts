import type { INodeProperties } from 'n8n-workflow';
import type { Family } from '../../nodes/core';
import { evmRuleFields, otherSignatureFields, witnessRuleFields } from './rules';
import { starkRuleFields } from './starkRules';
import { tonRuleFields } from './tonRules';

/** The elliptic curves of private keys. There is a credential for each curve. */
type Curve = 'secp256k1' | 'ed25519' | 'stark';

/** How the key and the rules of a credential belong to a family of chains. */
export interface FamilyOfKey {
	/** The elliptic curve of the key that signs for the family of chains. */
	readonly curve: Curve;
	/**
	 * The numbers by which Daily Transactions counts the family's transactions; beside a budget, nothing of a family without
	 * them is signed. Only one family of a key has them: with two, a day would allow as much again.
	 */
	readonly counted: CountedNumbers | null;
	/** The form fields of the rules about the family's transactions. */
	readonly fields: readonly INodeProperties[];
	/** The rules about what else is signed for it. */
	readonly otherSignatures: readonly INodeProperties[];
}

interface CountedNumbers {
	/** The chain's word for the number of a transaction, such as nonce. */
	readonly name: string;
	/** Whether another account of the key may take a number that this account has used: those below First Nonce are refused then. */
	readonly areOfOthers: boolean;
}

/** For each family: the curve of its key, the numbers that Daily Transactions counts, and its rules. */
export const FAMILIES_OF_KEYS = {
	evm: {
		curve: 'secp256k1',
		counted: { name: 'nonce', areOfOthers: false },
		fields: evmRuleFields,
		otherSignatures: otherSignatureFields,
	},
	witness: {
		curve: 'secp256k1',
		counted: null,
		fields: witnessRuleFields,
		otherSignatures: [],
	},
	ton: {
		curve: 'ed25519',
		counted: { name: 'seqno', areOfOthers: true },
		fields: tonRuleFields,
		otherSignatures: [],
	},
	stark: {
		curve: 'stark',
		counted: { name: 'nonce', areOfOthers: false },
		fields: starkRuleFields,
		otherSignatures: [],
	},
} as const satisfies Readonly<Record<Family, FamilyOfKey>>;

/** The other families whose transactions are signed with the same key as transactions of EVM chains. */
export type SharingFamily = Exclude<
	{
		[F in Family]: (typeof FAMILIES_OF_KEYS)[F]['curve'] extends 'secp256k1' ? F : never;
	}[Family],
	'evm'
>;

/** The rules of the credential that signs for EVM chains, in the order of the form. */
export const ruleFields: INodeProperties[] = Object.values(FAMILIES_OF_KEYS)
	.filter(({ curve }) => curve === 'secp256k1')
	.flatMap(({ fields, otherSignatures }) => [...fields, ...otherSignatures]);

/** The rules of a signer that signs only EVM transactions. The fields of all other rules are hidden. */
export const transactionRuleFields: INodeProperties[] = ruleFields.map((field) =>
	evmRuleFields.includes(field) ? field : { ...field, type: 'hidden' },
);
