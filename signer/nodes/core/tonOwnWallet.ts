import {
	findWallet,
	formatTonAddresses,
	getUsualWalletId,
	getWalletAccount,
	InvalidInput,
	listWallets,
	MAX_MESSAGES,
	type TonTransfer,
	type Wallet,
	type WalletType,
} from '../../../nodes/core';
import { forbid } from '../../rules/refusal';
import type { TonRules } from '../../rules/tonRules';
import type { Ed25519Key } from './library';

type PublicKey = Pick<Ed25519Key, 'publicKey'>;

const BASECHAIN = 0;

/** Formats the common wallets of a key. The address for the test network has a flag that only test networks accept. */
export function formatTonWallets({ publicKey }: PublicKey) {
	const [v3r2, v4r2, v5r1, v5r1Test] = listWallets(publicKey, BASECHAIN).map(
		(wallet, _at, wallets) => {
			const isTestOnly = wallet === wallets.at(-1);
			return formatTonAddresses({ ...getWalletAccount(wallet), isTestOnly }).nonBounceable;
		},
	);
	return { v3r2, v4r2, v5r1, v5r1Test };
}

/** Lists the wallets that the rules allow to pay. A wallet of version 5 has an address for each network. */
export function listPayers({ walletType }: TonRules, key: PublicKey): string[] {
	const wallets = formatTonWallets(key);
	const chosen = walletType === 'v5r1' ? [wallets.v5r1, wallets.v5r1Test] : [wallets[walletType]];
	return chosen.filter((one) => one !== undefined);
}

/**
 * Finds the key's wallet that the transfer is from. Its version must be allowed by the rules. Its wallet ID and workchain must be those
 * that wallet apps use by default.
 */
export function findOwnWallet(rules: TonRules, key: PublicKey, transfer: TonTransfer): Wallet {
	const { from: account, walletId, walletType } = transfer;
	const wallet = findWallet(key.publicKey, { account, type: null, walletId });
	if (!wallet) throw notOwnError(key, transfer);
	const { type } = wallet;
	if (walletType !== null && walletType !== type) {
		throw otherError(
			`is a wallet ${type}, and the transfer is for a wallet ${walletType}`,
			transfer,
		);
	}
	checkWallet(rules, wallet, transfer);
	checkCount(wallet, transfer);
	return wallet;
}

function checkWallet({ walletType }: TonRules, wallet: Wallet, { from }: TonTransfer): void {
	const { type, workchain, walletId } = wallet;
	const usual = listUsualIds(type, workchain);
	if (type === walletType && workchain === BASECHAIN && usual.includes(walletId)) return;
	const signedWorkchain = (workchain << 24) >> 24;
	forbid('walletType', {
		wants: `the transfer is from ${formatTonAddresses(from).nonBounceable}, the ${type} wallet of this key in workchain ${signedWorkchain} with the wallet ID ${walletId}`,
		allowed: `Allowed: ${walletType} in workchain ${BASECHAIN} with the wallet ID ${listUsualIds(walletType, BASECHAIN).join(' or ')}`,
	});
}

/** Lists the default wallet IDs. A wallet of version 5 has an ID for each network. */
function listUsualIds(type: WalletType, workchain: number): readonly number[] {
	return [...new Set([false, true].map((isTest) => getUsualWalletId(type, workchain, isTest)))];
}

function checkCount({ type }: Wallet, transfer: TonTransfer): void {
	const { length } = transfer.messages;
	const most = MAX_MESSAGES[type];
	if (length <= most) return;
	throw otherError(
		`is a wallet ${type}, which sends ${most} messages at most, and the transfer has ${length}`,
		transfer,
	);
}

function notOwnError(key: PublicKey, { from, walletId }: TonTransfer): InvalidInput {
	const { v3r2, v4r2, v5r1, v5r1Test } = formatTonWallets(key);
	const of = walletId === null ? '' : ` with the wallet ID ${walletId}`;
	return new InvalidInput(
		`The transfer is from ${formatTonAddresses(from).nonBounceable}, which is no wallet${of} of this credential's key`,
		`Its wallets are ${v3r2} (v3r2), ${v4r2} (v4r2), ${v5r1} (v5r1) and ${v5r1Test} (v5r1 of the test network). Prepare it from the one that the rule Wallet names, or choose the credential of the other. Nothing was signed.`,
	);
}

function otherError(why: string, { from }: TonTransfer): InvalidInput {
	return new InvalidInput(
		`${formatTonAddresses(from).nonBounceable} ${why}`,
		'Prepare it again. Nothing was signed.',
	);
}
