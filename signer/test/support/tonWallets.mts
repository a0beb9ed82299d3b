import { beginCell, type Cell } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import {
	WalletContractV3R1,
	WalletContractV3R2,
	WalletContractV4,
	WalletContractV5R1,
} from '@ton/ton';

/** The secret of the account Alice in the sandbox, which is publicly known. */
export const SECRET = '22'.repeat(32);
export const KEYS = keyPairFromSeed(Buffer.from(SECRET, 'hex'));

const { publicKey } = KEYS;
const test = { networkGlobalId: -3, context: { walletVersion: 'v5r1', workchain: 0 } } as const;

/** The wallets of Alice, built with another library. */
export const WALLETS = {
	v3r2: WalletContractV3R2.create({ workchain: 0, publicKey }),
	v4r2: WalletContractV4.create({ workchain: 0, publicKey }),
	v5r1: WalletContractV5R1.create({ publicKey }),
	v5r1Test: WalletContractV5R1.create({
		publicKey,
		walletId: { ...test, context: { ...test.context, subwalletNumber: 0 } },
	}),
};

/** A wallet ID that is not the default, for a second wallet of the same type. */
export const OTHER_ID = 5;

/** The wallet ID that wallets in workchain 0 have, and that any wallet may have. */
const DEFAULT_ID = 698_983_191;

/**
 * All wallets that one key may have. Some have another wallet ID. Some are in the masterchain, with the default
 * wallet ID of the masterchain or of workchain 0.
 */
export const KEY_WALLETS = {
	...WALLETS,
	v3r1: WalletContractV3R1.create({ workchain: 0, publicKey }),
	v3r2Other: WalletContractV3R2.create({ workchain: 0, publicKey, walletId: OTHER_ID }),
	v4r2Other: WalletContractV4.create({ workchain: 0, publicKey, walletId: OTHER_ID }),
	v5r1Other: WalletContractV5R1.create({
		publicKey,
		walletId: { networkGlobalId: -239, context: { ...test.context, subwalletNumber: 1 } },
	}),
	v3r2Master: WalletContractV3R2.create({ workchain: -1, publicKey }),
	v4r2Master: WalletContractV4.create({ workchain: -1, publicKey }),
	v3r2MasterSameId: WalletContractV3R2.create({ workchain: -1, publicKey, walletId: DEFAULT_ID }),
	v4r2MasterSameId: WalletContractV4.create({ workchain: -1, publicKey, walletId: DEFAULT_ID }),
	v5r1MasterSameId: WalletContractV5R1.create({ workchain: -1, publicKey }),
};

export type KeyWallet = keyof typeof KEY_WALLETS;

export const formatWallet = (name: KeyWallet) =>
	KEY_WALLETS[name].address.toString({ bounceable: false, testOnly: name === 'v5r1Test' });

/** Builds the data of a wallet after the given number of transfers. Only version 5 has a bit before the number. */
export function buildWalletData(name: KeyWallet, seqno: number): Cell {
	const slice = KEY_WALLETS[name].init.data.beginParse();
	const builder = beginCell();
	if (name.startsWith('v5r1')) builder.storeBit(slice.loadBit());
	slice.skip(32);
	return builder.storeUint(seqno, 32).storeSlice(slice).endCell();
}
