import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	buildExternalMessage,
	buildSignedBody,
	buildUnsignedBody,
	buildWalletState,
	catching,
	computeNormalizedHash,
	encodeExternalMessage,
	formatTonAddresses,
	hashCells,
	InvalidInput,
	InvalidValue,
	runInSlices,
	type TonTransfer,
	type Wallet,
} from '../../../nodes/core';
import { judge } from '../../rules/judge';
import { decodeTonTransfer } from '../../rules/ton';
import { parseTonRules, type TonRules } from '../../rules/tonRules';
import { loadKeyLibrary, type Ed25519Key } from './library';
import { type LocalSigner, createRulesReader } from './localSigner';
import { parseTonKey } from './tonKey';
import { findOwnWallet, formatTonWallets, listPayers } from './tonOwnWallet';

/** Opens the signer of the TON chain. */
export async function openTonSigner(data: ICredentialDataDecryptedObject): Promise<LocalSigner> {
	const key = parseTonKey(await loadKeyLibrary(), data);
	const getRules = createRulesReader(data, parseTonRules);
	return {
		formatAccount: () => formatTonWallets(key),
		getPayers: () => ({ accounts: listPayers(getRules(), key) }),
		getRules,
		check: async (request) => {
			if (request.kind !== 'tonTransfer') throw otherChainError();
			await runInSlices(hashCells(listCells(request.given)));
			checkTonTransfer(getRules(), key, request.given);
		},
		sign: async (request) => {
			if (request.kind !== 'tonTransfer') throw otherChainError();
			await runInSlices(hashCells(listCells(request.given)));
			return signTonTransfer(getRules(), key, request.given);
		},
	};
}

function otherChainError(): InvalidInput {
	return new InvalidInput(
		"The credential 'Chain Signer TON API' signs transfers on TON only",
		'Choose the operation Sign of TON Transfer.',
	);
}

/** Lists the parts of a transfer that can be large because other people's data is in them. */
function listCells({ messages }: TonTransfer) {
	return messages
		.flatMap(({ body, stateInit }) => [body, stateInit])
		.filter((cell) => cell !== null);
}

/** Signs a transfer after all rules have allowed it. The signed body is built from the fields of the transfer. */
export function signTonTransfer(rules: TonRules, key: Ed25519Key, transfer: TonTransfer) {
	const wallet = checkTonTransfer(rules, key, transfer);
	return refuseTooLarge(() => buildSigned(wallet, key, transfer));
}

/** Finds the wallet of a transfer, and refuses what the rules forbid. */
function checkTonTransfer(rules: TonRules, key: Ed25519Key, transfer: TonTransfer): Wallet {
	const wallet = findOwnWallet(rules, key, transfer);
	const now = Date.now();
	refuseTooLarge(() => judge(rules, decodeTonTransfer(rules.walletType, transfer, now), now));
	return wallet;
}

/** Refuses a transfer that is too large for a wallet. The size is known only once the cells are encoded. */
function refuseTooLarge<T>(build: () => T): T {
	const built = catching(InvalidValue, build);
	if (!(built instanceof InvalidValue)) return built;
	throw new InvalidInput(
		`The transfer must be ${built.message}`,
		'Send less at once. Nothing was signed.',
	);
}

function buildSigned(wallet: Wallet, key: Ed25519Key, transfer: TonTransfer) {
	const { from, seqno } = transfer;
	const unsigned = buildUnsignedBody(wallet, transfer);
	const body = buildSignedBody(wallet.type, unsigned, key.sign(unsigned.hash));
	// A wallet without any transaction may have no code yet. A wallet that has its code ignores this part of the message.
	const stateInit = seqno === 0 ? buildWalletState(wallet) : null;
	const message = encodeExternalMessage(buildExternalMessage(from, body, stateInit));
	return {
		signedMessage: message.toString('base64'),
		messageHash: computeNormalizedHash({ to: from, body }).toString('hex'),
		from: formatTonAddresses(from).nonBounceable,
		seqno,
	};
}
