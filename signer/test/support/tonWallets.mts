import { keyPairFromSeed } from '@ton/crypto';
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton';

/** The secret of Alice in the sandbox: everybody knows it. */
export const SECRET = '22'.repeat(32);
export const KEYS = keyPairFromSeed(Buffer.from(SECRET, 'hex'));

const { publicKey } = KEYS;
const test = { networkGlobalId: -3, context: { walletVersion: 'v5r1', workchain: 0 } } as const;

/** The wallets of Alice, by another implementation. */
export const WALLETS = {
	v3r2: WalletContractV3R2.create({ workchain: 0, publicKey }),
	v4r2: WalletContractV4.create({ workchain: 0, publicKey }),
	v5r1: WalletContractV5R1.create({ publicKey }),
	v5r1Test: WalletContractV5R1.create({
		publicKey,
		walletId: { ...test, context: { ...test.context, subwalletNumber: 0 } },
	}),
};

export const formatWallet = (name: keyof typeof WALLETS) =>
	WALLETS[name].address.toString({ bounceable: false, testOnly: name === 'v5r1Test' });
