import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	checksumAddress,
	formatWitnessAddresses,
	getText,
	InvalidInput,
	runInSlices,
	type ParsedEvmTransaction,
	type Pauses,
} from '../../../nodes/core';
import { parseSecp256k1Rules, type Secp256k1Rules } from '../../rules/rules';
import { judgeDerived } from '../../rules/recipients';
import { NonceTurns, signHttpPayment } from './httpPayment';
import { loadKeyLibrary, type Key, type KeyLibrary } from './library';
import { parseKeyBytes } from './keyBytes';
import { type LocalSigner, createRulesReader } from './localSigner';
import type { SignedKind, SignedKinds, SignedRequest } from './request';
import {
	buildAllowedTransaction,
	checkWitnessTransaction,
	signAllowedTransaction,
	signMessage,
	signTypedData,
	signWitnessTransaction,
} from './secp256k1Signer';

/** Opens the signer of EVM chains and TRON. */
export async function openKeySigner(data: ICredentialDataDecryptedObject): Promise<LocalSigner> {
	const keys = await loadKeyLibrary();
	const key = parseKey(keys, data);
	const getRules = createRulesReader(data, parseSecp256k1Rules);
	const signings = createSignings(keys, key, getRules);
	return {
		formatAccount: () => formatForms(key.account),
		getPayers: () => ({ accounts: [`0x${key.account}`] }),
		getRules,
		check: async (request) => await judgeDerived(() => check(signings, request)),
		sign: async (request, pauses) =>
			await judgeDerived(async () => await sign(signings, request, pauses)),
	};
}

/** The functions for one kind of request. */
interface Signing<Given> {
	/** Refuses what the rules forbid. */
	check(given: Given): void;
	sign(given: Given, pauses: Pauses): object | Promise<object>;
}

type Signings = { readonly [Kind in SignedKind]: Signing<SignedKinds[Kind]> };

function check<Kind extends SignedKind>(signings: Signings, request: SignedRequest<Kind>): void {
	signings[request.kind].check(request.given);
}

async function sign<Kind extends SignedKind>(
	signings: Signings,
	request: SignedRequest<Kind>,
	pauses: Pauses,
): Promise<object> {
	return await signings[request.kind].sign(request.given, pauses);
}

function createSignings(library: KeyLibrary, key: Key, getRules: () => Secp256k1Rules): Signings {
	const build = (given: ParsedEvmTransaction) =>
		buildAllowedTransaction(library, getRules(), key.account, given);
	const turns = new NonceTurns();
	return {
		transaction: {
			check: build,
			sign: async (given, pauses) => {
				const allowed = build(given);
				// The pause gives n8n time, because the checks before it and the signing after it may each hash a megabyte.
				await pauses.takeIfDue();
				return signAllowedTransaction(library, key, allowed);
			},
		},
		witnessTransaction: {
			check: (given) => checkWitnessTransaction(getRules(), key, given),
			sign: (given) => signWitnessTransaction(getRules(), key, given),
		},
		message: {
			check: refuseCheck,
			sign: (given) => signMessage(library, getRules(), key, given),
		},
		typedData: {
			check: refuseCheck,
			sign: async (given) => await runInSlices(signTypedData(library, getRules(), key, given)),
		},
		httpPayment: {
			check: refuseCheck,
			sign: (given) => signHttpPayment({ library, rules: getRules(), account: key, turns }, given),
		},
		starkTransaction: refuseOther('the STARK rollup', 'Chain Signer STARK API'),
		tonTransfer: refuseOther('the TON chain', 'Chain Signer TON API'),
	};
}

function refuseCheck(): never {
	throw new InvalidInput('This credential is for payments on EVM chains and on TRON only');
}

/** Returns the functions for a kind of request that another credential signs. They refuse each request. */
function refuseOther(where: string, credential: string): Signing<unknown> {
	return {
		check: refuseCheck,
		sign: () => {
			throw new InvalidInput(
				`This credential does not sign on ${where}`,
				`Choose the credential '${credential}'.`,
			);
		},
	};
}

/** Formats the address for EVM chains and, in two forms, for TRON. */
export function formatForms(account: string) {
	const { base58, hex } = formatWitnessAddresses(account);
	return { evm: checksumAddress(`0x${account}`), witnessBase58: base58, witnessHex: hex };
}

/** Parses the key of a credential. No error contains what was typed, because it may be a key with one character too many. */
export function parseKey(library: KeyLibrary, { privateKey }: ICredentialDataDecryptedObject): Key {
	const bytes = parseKeyBytes(getText(privateKey).trim());
	const key = bytes && library.createKey(bytes);
	if (key) return key;
	throw new InvalidInput(
		'The Private Key of the credential must be 32 bytes as hex: 64 digits, with or without 0x before them',
		bytes
			? 'These 32 bytes are no key of secp256k1: they are 0, or too large.'
			: 'Open the credential and enter it again.',
	);
}
