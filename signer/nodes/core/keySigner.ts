import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	checksumAddress,
	formatWitnessAddresses,
	getText,
	InvalidInput,
	runInSlices,
} from '../../../nodes/core';
import { parseRules } from '../../rules/rules';
import { NonceTurns, signHttpPayment } from './httpPayment';
import { loadKeyLibrary, type Key, type KeyLibrary } from './library';
import { parseKeyBytes } from './keyBytes';
import type { LocalSigner } from './localSigner';
import { createRulesReader } from './rulesReader';
import {
	buildAllowedTransaction,
	checkWitnessTransaction,
	signAllowedTransaction,
	signMessage,
	signTypedData,
	signWitnessTransaction,
} from './signer';

/** Opens the signer of EVM chains and of the witness chain. */
export async function openKeySigner(data: ICredentialDataDecryptedObject): Promise<LocalSigner> {
	const keys = await loadKeyLibrary();
	const key = parseKey(keys, data);
	const rules = createRulesReader(data, parseRules);
	const turns = new NonceTurns();
	return {
		formatAccount: () => formatForms(key.account),
		getPayers: () => ({ accounts: [`0x${key.account}`] }),
		rules,
		check: async (request) => {
			switch (request.kind) {
				case 'transaction':
					buildAllowedTransaction(keys, rules(), key.account, request.given);
					return;
				case 'witnessTransaction':
					return checkWitnessTransaction(rules(), key, request.given);
				case 'starkTransaction':
				case 'tonTransfer':
				case 'message':
				case 'typedData':
				case 'httpPayment':
					throw uncheckableError();
			}
		},
		sign: async (request, pauses) => {
			switch (request.kind) {
				case 'message':
					return signMessage(keys, rules(), key, request.given);
				case 'typedData':
					return await runInSlices(signTypedData(keys, rules(), key, request.given));
				case 'httpPayment':
					return signHttpPayment({ keys, rules: rules(), account: key, turns }, request.given);
				case 'witnessTransaction':
					return signWitnessTransaction(rules(), key, request.given);
				case 'transaction': {
					const allowed = buildAllowedTransaction(keys, rules(), key.account, request.given);
					// Each of both hashes a megabyte where there is one.
					await pauses.takeIfDue();
					return signAllowedTransaction(keys, key, allowed);
				}
				case 'starkTransaction':
					throw otherCurveError('the STARK rollup', 'Chain Signer STARK API');
				case 'tonTransfer':
					throw otherCurveError('the TON chain', 'Chain Signer TON API');
			}
		},
	};
}

function uncheckableError(): InvalidInput {
	return new InvalidInput('This credential checks payments on EVM chains and on the witness chain');
}

function otherCurveError(where: string, credential: string): InvalidInput {
	return new InvalidInput(
		`This credential does not sign on ${where}`,
		`Choose the credential '${credential}'.`,
	);
}

/** Formats the address in all forms. */
export function formatForms(account: string) {
	const { base58, hex } = formatWitnessAddresses(account);
	return { evm: checksumAddress(`0x${account}`), witnessBase58: base58, witnessHex: hex };
}

/** Parses the key of a credential. No error contains what was typed: it may be a key with one character too many. */
export function parseKey(keys: KeyLibrary, { privateKey }: ICredentialDataDecryptedObject): Key {
	const bytes = parseKeyBytes(getText(privateKey).trim());
	const key = bytes && keys.createKey(bytes);
	if (key) return key;
	throw new InvalidInput(
		'The Private Key of the credential must be 32 bytes as hex: 64 digits, with or without 0x before them',
		bytes
			? 'These 32 bytes are no key of secp256k1: they are 0, or too large.'
			: 'Open the credential and enter it again.',
	);
}
