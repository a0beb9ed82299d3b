import type { TonAccount } from '../address';
import type { Sender } from '../sender';
import { getUsualWalletId } from '../wallets';

const TEST_NETWORK_HINT =
	'The wallet or an address is that of a test network: payments there are worth nothing.';

/** A wallet of the fifth version has the network in its ID, and an address may have a flag. */
export function findTestNetworkHint(
	{ account, walletType, walletId }: Sender,
	addresses: readonly TonAccount[],
): string | undefined {
	const isOfTest =
		walletType === 'v5r1' && walletId === getUsualWalletId(walletType, account.workchain, true);
	return isOfTest || addresses.some(({ isTestOnly }) => isTestOnly) ? TEST_NETWORK_HINT : undefined;
}

/** Each transfer of a wallet waits until the chain has carried out the previous one. */
const SECONDS_APART = 10;
const LATE_HINT =
	"The transfers of a wallet are made one after another, some ten seconds apart: the last ones may expire before their turn. 'Valid For' gives them more time, and the kind Several Payments makes many in one.";

/** The time that earlier transfers of the same run take. */
export function findLateHint(
	{ seqno: first }: Sender,
	seqno: number,
	validFor: number,
): string | undefined {
	return (seqno - first) * SECONDS_APART >= validFor ? LATE_HINT : undefined;
}
