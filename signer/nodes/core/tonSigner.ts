import {
	buildExternalMessage,
	buildSignedBody,
	buildUnsignedBody,
	buildWalletState,
	computeNormalizedHash,
	encodeExternalMessage,
	findWallet,
	formatTonAddresses,
	getWalletAccount,
	InvalidInput,
	listWallets,
	MAX_MESSAGES,
	parseAs,
	type TonTransfer,
	type Wallet,
} from '../../../nodes/core';
import { checkTonTransfer } from '../../rules/ton';
import type { TonRules } from '../../rules/tonRules';
import type { Ed25519Key } from './library';

const BASECHAIN = 0;

/** Formats the usual wallets of a key. That of the test network has the flag that only test networks take. */
export function formatTonWallets({ publicKey }: Pick<Ed25519Key, 'publicKey'>) {
	const [v3r2, v4r2, v5r1, v5r1Test] = listWallets(publicKey, BASECHAIN).map(
		(wallet, _at, wallets) => {
			const isTestOnly = wallet === wallets.at(-1);
			return formatTonAddresses({ ...getWalletAccount(wallet), isTestOnly }).nonBounceable;
		},
	);
	return { v3r2, v4r2, v5r1, v5r1Test };
}

/** Signs what is made of the fields of the transfer, after all rules have allowed it. */
export function signTonTransfer(rules: TonRules, key: Ed25519Key, transfer: TonTransfer) {
	const wallet = findOwnWallet(key, transfer);
	checkTonTransfer(rules, transfer, Date.now());
	return parseAs(TRANSFER_LABEL, transfer, () => buildSigned(wallet, key, transfer));
}

const TRANSFER_LABEL = 'Transfer';

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

/** The address says which wallet it is: its kind, and its network in the fifth version. */
function findOwnWallet(key: Ed25519Key, transfer: TonTransfer): Wallet {
	const { from: account, walletId, walletType, messages } = transfer;
	const wallet = findWallet(key.publicKey, { account, type: null, walletId });
	if (!wallet) return throwNotOwn(key, transfer);
	const { type } = wallet;
	if (walletType !== null && walletType !== type) {
		throwOther(`is a wallet ${type}, and the transfer is for a wallet ${walletType}`, transfer);
	}
	if (messages.length > MAX_MESSAGES[type]) {
		throwOther(
			`is a wallet ${type}, which sends ${MAX_MESSAGES[type]} messages at most, and the transfer has ${messages.length}`,
			transfer,
		);
	}
	return wallet;
}

function throwNotOwn(key: Ed25519Key, { from, walletId }: TonTransfer): never {
	const { v3r2, v4r2, v5r1, v5r1Test } = formatTonWallets(key);
	const of = walletId === null ? '' : ` with the wallet ID ${walletId}`;
	throw new InvalidInput(
		`The transfer is from ${formatTonAddresses(from).nonBounceable}, which is no wallet${of} of this signer`,
		`It signs for ${v3r2} (v3r2), ${v4r2} (v4r2), ${v5r1} (v5r1) and ${v5r1Test} (v5r1 of the test network). Prepare it from one of them, or choose the credential of the other. Nothing was signed.`,
	);
}

function throwOther(why: string, { from }: TonTransfer): never {
	throw new InvalidInput(
		`${formatTonAddresses(from).nonBounceable} ${why}`,
		'Prepare it again. Nothing was signed.',
	);
}
