import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	catching,
	formatFelt,
	getText,
	InvalidInput,
	InvalidValue,
	parseStarkAddress,
} from '../../../nodes/core';
import { parseKeyBytes } from './keyBytes';
import { loadKeyLibrary, type StarkKey, type StarkLibrary } from './library';

/** An account of a STARK rollup, with its signer. */
export interface StarkAccount {
	readonly address: bigint;
	readonly key: StarkKey;
	readonly hashPoseidon: StarkLibrary['hashPoseidon'];
}

/** Parses the account of a credential. */
export async function openStarkAccount(
	data: ICredentialDataDecryptedObject,
): Promise<StarkAccount> {
	const keys = await loadKeyLibrary();
	const library = await keys.loadStarkLibrary();
	return {
		address: parseAccountAddress(data),
		key: parseStarkKey(library, data),
		hashPoseidon: library.hashPoseidon,
	};
}

/** Wallets leave out leading zeros. No error contains what was typed. */
function parseStarkKey(
	library: StarkLibrary,
	{ privateKey }: ICredentialDataDecryptedObject,
): StarkKey {
	const bytes = parseKeyBytes(getText(privateKey).trim(), 1);
	const key = bytes && library.createStarkKey(bytes);
	if (key) return key;
	throw new InvalidInput(
		'The Private Key of the credential must be hex: up to 64 digits, with or without 0x before them',
		bytes
			? 'This number is no key of the STARK curve: it is 0, or too large.'
			: 'Open the credential and enter it again.',
	);
}

/** The class of an account decides its address, so the address cannot be computed from the key. */
function parseAccountAddress({ accountAddress }: ICredentialDataDecryptedObject): bigint {
	const address = catching(InvalidValue, () => parseStarkAddress(accountAddress));
	if (!(address instanceof InvalidValue)) return address;
	throw new InvalidInput(
		`The Account Address of the credential must be ${address.message}`,
		'It says which account the key signs for.',
	);
}

export function formatStarkAccount({ address, key }: StarkAccount) {
	return { address: formatFelt(address), publicKey: formatFelt(key.publicKey) };
}
