import { findTestNetworkHint } from '../../../nodes/core/ton/prepare/prepare';
import type { Sender } from '../../../nodes/core/ton/sender';
import { getUsualWalletId, type WalletType } from '../../../nodes/core/ton/wallets';

const account = { workchain: 0, hash: Buffer.alloc(32), isTestOnly: false };

const senderOf = (walletType: WalletType | null, walletId: number | null): Sender => ({
	account,
	balance: 1n,
	status: 'active',
	walletType,
	walletId,
	seqno: 1,
});

test.each<[string, WalletType | null, number | null, boolean]>([
	[
		'a wallet of the fifth version for the test network',
		'v5r1',
		getUsualWalletId('v5r1', 0, true),
		true,
	],
	['one for the main network', 'v5r1', getUsualWalletId('v5r1', 0, false), false],
	['an older one, which is alike on both', 'v4r2', getUsualWalletId('v4r2', 0, true), false],
	['one with an id of its own', 'v5r1', 7, false],
	['one that is not deployed', null, null, false],
])('%s shows its network', (_which, type, id, isTest) => {
	expect(findTestNetworkHint(senderOf(type, id), [account]) !== undefined).toBe(isTest);
});
