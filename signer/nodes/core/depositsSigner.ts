import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	formatPath,
	hashTypedDataInSlices,
	InvalidInput,
	runInSlices,
	type ParsedEvmTransaction,
	type ParsedWitnessTransaction,
} from '../../../nodes/core';
import { parseDepositRules, type DepositRules } from '../../rules/depositRules';
import { refuse } from '../../rules/refusal';
import { parseTypedData } from '../../rules/typedDataForms';
import { parseDepositKey, type DepositKey } from './depositKey';
import { formatForms } from './keySigner';
import { loadKeyLibrary, type Key, type KeyLibrary } from './library';
import { type LocalSigner, createRulesReader } from './localSigner';
import {
	buildAllowedTransaction,
	checkWitnessTransaction,
	judgeTypedData,
	signAllowedTransaction,
	signHash,
	signWitnessTransaction,
} from './secp256k1Signer';

/** The kinds of data that the key of a deposit address signs, each with its parsed form. */
export interface SweptKinds {
	readonly transaction: ParsedEvmTransaction;
	readonly witnessTransaction: ParsedWitnessTransaction;
	/** An authorization of EIP-3009. */
	readonly authorization: object;
}

export type SweptKind = keyof SweptKinds;

/** A request that the key of an address signs if the rules allow it. */
export type SweptRequest<Kind extends SweptKind = SweptKind> = {
	readonly [K in Kind]: { readonly kind: K; readonly given: SweptKinds[K] };
}[Kind];

/** The keys of deposit addresses, and the rules within which they sign. */
export interface DepositsSigner {
	readonly getRules: () => DepositRules;
	/** The account of an address, in 40 hex digits. */
	getAccount(index: number): string;
	/** Throws if the rules forbid the request. Signs nothing. */
	check(index: number, request: SweptRequest): void;
	/** Signs what the rules allow. */
	sign(index: number, request: SweptRequest): Promise<object>;
}

/** Opens the signer of deposit addresses for sweeps. */
export async function openDepositsSigner(
	data: ICredentialDataDecryptedObject,
): Promise<DepositsSigner> {
	const library = await loadKeyLibrary();
	return createDepositsSigner(
		library,
		parseDepositKey(library, data),
		createRulesReader(data, parseDepositRules),
	);
}

function createDepositsSigner(
	library: KeyLibrary,
	key: DepositKey,
	getRules: () => DepositRules,
): DepositsSigner {
	const opening = { library, getRules };
	return {
		getRules,
		getAccount: (index) => getKey(key, index).account,
		check: (index, { kind, given }) =>
			SIGNINGS[kind].check({ ...opening, key: getKey(key, index) }, given as never),
		sign: async (index, { kind, given }) =>
			await SIGNINGS[kind].sign({ ...opening, key: getKey(key, index) }, given as never),
	};
}

function getKey(key: DepositKey, index: number): Key {
	const child = key.derive(index);
	if (child) return child;
	throw new InvalidInput(
		`The key has no deposit address with the index ${index}: use another index`,
	);
}

interface Opened {
	readonly library: KeyLibrary;
	readonly key: Key;
	readonly getRules: () => DepositRules;
}

interface Signing<Given> {
	check(opened: Opened, given: Given): void;
	sign(opened: Opened, given: Given): object | Promise<object>;
}

const LABEL = 'Authorization';

/** The functions for each kind of request. They apply the rules in the same way as the signers of other credentials. */
const SIGNINGS: { readonly [Kind in SweptKind]: Signing<SweptKinds[Kind]> } = {
	transaction: {
		check: (opened, given) => void allow(opened, given),
		sign: (opened, given) =>
			signAllowedTransaction(opened.library, opened.key, allow(opened, given)),
	},
	witnessTransaction: {
		check: ({ key, getRules }, given) => checkWitnessTransaction(getRules(), key, given),
		sign: ({ key, getRules }, given) => signWitnessTransaction(getRules(), key, given),
	},
	authorization: {
		check: (opened, given) => void readAllowed(opened, given),
		sign: async (opened, given) => {
			const { typedData } = readAllowed(opened, given);
			const hashing = hashTypedDataInSlices(typedData, LABEL, opened.library.keccak256);
			return signHash(opened.key, await runInSlices(hashing));
		},
	},
};

function allow({ library, key, getRules }: Opened, given: ParsedEvmTransaction) {
	return buildAllowedTransaction(library, getRules().evm, key.account, given);
}

const AUTHORIZATION_TYPE = 'TransferWithAuthorization';

/** Accepts transfers only. Other typed data of EIP-3009 moves nothing, or moves tokens only when the receiver asks for it. */
function readAllowed({ key, getRules }: Opened, given: object) {
	const read = parseTypedData(given, LABEL);
	if (read?.primaryType !== AUTHORIZATION_TYPE) return refuseOtherTypedData();
	judgeTypedData(getRules(), key, read);
	return read;
}

function refuseOtherTypedData(): never {
	refuse(
		`The key of deposits signs typed data of ${AUTHORIZATION_TYPE} alone`,
		'Use Sweep of Chain Pay.',
	);
}

/** Opens the signer for Chain Signer, which only returns addresses and rules of this credential and signs nothing with it. */
export async function openDepositsAccount(data: ICredentialDataDecryptedObject) {
	const library = await loadKeyLibrary();
	const key = parseDepositKey(library, data);
	return {
		formatAccount: (index = 0) => ({
			index,
			path: formatPath(key, index),
			...formatForms(getKey(key, index).account),
		}),
		getPayers: () => ({ accounts: [] }),
		getRules: createRulesReader(data, parseDepositRules),
		check: refuseSigning,
		sign: refuseSigning,
	} satisfies LocalSigner;
}

async function refuseSigning(): Promise<never> {
	return await Promise.reject(
		new InvalidInput(
			'The key of deposit addresses signs only for the operation Sweep of Chain Pay',
			'Sweep brings what the deposit addresses hold to the destination of the credential.',
		),
	);
}
