import {
	buildExternalMessage,
	buildSignedBody,
	buildUnsignedBody,
	buildWalletState,
	catching,
	computeNormalizedHash,
	encodeExternalMessage,
	formatTonAddresses,
	InvalidInput,
	InvalidValue,
	type TonTransfer,
	type Wallet,
} from '../../../nodes/core';
import { judge } from '../../rules/judge';
import { decodeTonTransfer } from '../../rules/ton';
import type { TonRules } from '../../rules/tonRules';
import type { Ed25519Key } from './library';
import { findOwnWallet } from './tonOwnWallet';

/** Signs what is made of the fields of the transfer, after all rules have allowed it. */
export function signTonTransfer(rules: TonRules, key: Ed25519Key, transfer: TonTransfer) {
	const wallet = findOwnWallet(rules, key, transfer);
	const signed = catching(InvalidValue, () => {
		const now = Date.now();
		judge(rules, decodeTonTransfer(rules.walletType, transfer, now), now);
		return buildSigned(wallet, key, transfer);
	});
	if (!(signed instanceof InvalidValue)) return signed;
	throw new InvalidInput(
		`The transfer must be ${signed.message}`,
		'Send less at once. Nothing was signed.',
	);
}

function buildSigned(wallet: Wallet, key: Ed25519Key, transfer: TonTransfer) {
	const { from, seqno } = transfer;
	const unsigned = buildUnsignedBody(wallet, transfer);
	const body = buildSignedBody(wallet.type, unsigned, key.sign(unsigned.hash));
	// A wallet that has sent nothing may have no code yet; one that has it leaves this aside.
	const stateInit = seqno === 0 ? buildWalletState(wallet) : null;
	const message = encodeExternalMessage(buildExternalMessage(from, body, stateInit));
	return {
		signedMessage: message.toString('base64'),
		messageHash: computeNormalizedHash({ to: from, body }).toString('hex'),
		from: formatTonAddresses(from).nonBounceable,
		seqno,
	};
}
