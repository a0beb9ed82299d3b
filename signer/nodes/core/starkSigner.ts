import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	encodeFelt,
	formatBounds,
	formatFelt,
	InvalidInput,
	INVOKE_VERSION,
	runInSlices,
	type Pauses,
	type StarkInvoke,
	type Sliced,
	catching,
	getText,
	InvalidValue,
	parseStarkAddress,
} from '../../../nodes/core';
import { judge } from '../../rules/judge';
import type { Policy } from '../../rules/policy';
import { decodeStarkInvoke } from '../../rules/stark';
import { parseStarkRules } from '../../rules/starkRules';
import { type LocalSigner, createRulesReader, checkSender } from './localSigner';
import { type StarkLibrary, loadKeyLibrary, type StarkKey } from './library';
import { parseKeyBytes } from './keyBytes';

/** Opens the signer of STARK rollups. */
export async function openStarkSigner(data: ICredentialDataDecryptedObject): Promise<LocalSigner> {
	const account = await openStarkAccount(data);
	const getRules = createRulesReader(data, parseStarkRules);
	return {
		formatAccount: () => formatStarkAccount(account),
		getPayers: () => ({ accounts: [formatFelt(account.address)] }),
		getRules,
		check: async (request) => {
			if (request.kind !== 'starkTransaction') throw otherChainError();
			checkStarkInvoke(getRules(), account, request.given);
		},
		sign: async (request, pauses) => {
			if (request.kind !== 'starkTransaction') throw otherChainError();
			return await signStarkInvoke(getRules(), account, request.given, pauses);
		},
	};
}

function otherChainError(): InvalidInput {
	return new InvalidInput(
		"The credential 'Chain Signer STARK API' signs transactions of STARK rollups only",
		'Choose the operation Sign of STARK Transaction.',
	);
}

/** Signs the hash of the transaction, after all rules have allowed it. */
async function signStarkInvoke(
	policy: Policy,
	account: StarkAccount,
	invoke: StarkInvoke,
	pauses: Pauses,
) {
	checkStarkInvoke(policy, account, invoke);
	// The pause gives n8n time, because the rules may decode many calls and each hash takes several milliseconds.
	await pauses.takeIfDue();
	const hash = await runInSlices(computeInvokeHash(invoke, account.hashPoseidon));
	return {
		transaction: formatSigned(invoke, account.key.sign(hash)),
		transactionHash: formatFelt(hash),
		from: formatFelt(invoke.sender),
	};
}

/** Refuses what the rules forbid. */
function checkStarkInvoke(policy: Policy, account: StarkAccount, invoke: StarkInvoke): void {
	checkSender(invoke.sender, account.address, formatFelt);
	judge(policy, decodeStarkInvoke(invoke), Date.now());
}

/** Formats the signed transaction as the operation Send takes it, without the chain ID. */
function formatSigned(invoke: StarkInvoke, signature: readonly bigint[]) {
	const { sender, chainId, nonce, tip, calldata, bounds } = invoke;
	return {
		type: 'INVOKE',
		version: encodeFelt(INVOKE_VERSION),
		sender_address: encodeFelt(sender),
		calldata: calldata.map(encodeFelt),
		nonce: encodeFelt(nonce),
		resource_bounds: formatBounds(bounds),
		tip: encodeFelt(tip),
		paymaster_data: [],
		account_deployment_data: [],
		nonce_data_availability_mode: 'L1',
		fee_data_availability_mode: 'L1',
		chainId: encodeFelt(chainId),
		signature: signature.map(encodeFelt),
	};
}

const [AMOUNT_SHIFT, NAME_SHIFT] = [128n, 192n];

/** Encodes the bytes of a text as one number. */
const encodeName = (text: string) => BigInt(`0x${Buffer.from(text).toString('hex')}`);

const PREFIX = encodeName('invoke');
/** The resources in the order in which they are hashed. */
const HASHED_RESOURCES = [
	['l1_gas', encodeName('L1_GAS')],
	['l2_gas', encodeName('L2_GAS')],
	['l1_data_gas', encodeName('L1_DATA')],
] as const;
/** Zero means that nonce and fee are stored on L1, which is the only mode in use. */
const DATA_AVAILABILITY_MODES = 0n;

/** Computes the hash to sign, in slices. Paymaster data and deployment data are empty. */
export function* computeInvokeHash(
	invoke: StarkInvoke,
	hash: StarkLibrary['hashPoseidon'],
): Sliced<bigint> {
	const { sender, chainId, nonce, tip, calldata, bounds } = invoke;
	const packed = HASHED_RESOURCES.map(([resource, name]) => {
		const { amount, price } = bounds[resource];
		return (name << NAME_SHIFT) | (amount << AMOUNT_SHIFT) | price;
	});
	const empty = yield* hash([]);
	return yield* hash([
		PREFIX,
		INVOKE_VERSION,
		sender,
		yield* hash([tip, ...packed]),
		empty,
		chainId,
		nonce,
		DATA_AVAILABILITY_MODES,
		empty,
		yield* hash(calldata),
	]);
}

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

/** Parses the private key. Wallets leave out leading zeros. No error contains what was typed. */
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

/** Parses the account's address. It cannot be computed from the key, because it also depends on the class of the account's contract. */
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
