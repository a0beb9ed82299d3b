import { FAMILIES, FAMILY_NAMES, type Family } from '../../../nodes/core';
import type { SignerChoice } from '../core/client';

interface FamilyForm {
	readonly description: string;
	/** An example of a receiver's address, as wallets of the chain show it. */
	readonly receiver: string;
	/** The name of a token on the chain, and an example of its address. */
	readonly token: { readonly kind: string; readonly address: string };
	/** Whether payments carry a comment. */
	readonly takesComment: boolean;
	/** Which key signs, if the node does not sign remotely. */
	readonly signer: Exclude<SignerChoice, 'remote'>;
}

/** The texts and examples that the form shows for each family. */
export const PAY_FORMS: Readonly<Record<Family, FamilyForm>> = {
	evm: {
		description: 'Moves funds on Ethereum and similar chains',
		receiver: '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
		token: { kind: 'ERC-20', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
		takesComment: false,
		signer: 'key',
	},
	witness: {
		description: 'Moves funds on TRON',
		receiver: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
		token: { kind: 'TRC-20', address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' },
		takesComment: true,
		signer: 'key',
	},
	ton: {
		description: 'Moves funds on the TON chain',
		receiver: 'UQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k8OV',
		token: { kind: 'jetton', address: 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs' },
		takesComment: true,
		signer: 'ton',
	},
	stark: {
		description: 'Moves funds on STARK rollups such as Starknet',
		receiver: '0x0213c67ed78bc280887234fe5ed5e77272465317978ae86c25a71531d9332a2d',
		token: {
			kind: 'ERC-20',
			address: '0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7',
		},
		takesComment: false,
		signer: 'stark',
	},
};

/** The families sorted by their names, as n8n lists them. */
export const LISTED_FAMILIES: readonly Family[] = FAMILY_NAMES.toSorted((one, other) =>
	FAMILIES[one].name < FAMILIES[other].name ? -1 : 1,
);

/** The families whose payments the given signer signs. */
export function findSignedFamilies(signer: FamilyForm['signer']): Family[] {
	return LISTED_FAMILIES.filter((family) => PAY_FORMS[family].signer === signer);
}
