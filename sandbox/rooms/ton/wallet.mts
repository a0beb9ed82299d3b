import { keyPairFromSeed } from '@ton/crypto';
import { WalletContractV4 } from '@ton/ton';

/** The key of the wallet that lives at every address of this sandbox. */
export const walletKeys = keyPairFromSeed(Buffer.alloc(32, 7));

/** Its sequence number is 0 for ever: an estimate changes nothing. */
export const wallet = WalletContractV4.create({ workchain: 0, publicKey: walletKeys.publicKey });
