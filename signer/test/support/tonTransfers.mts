import type { Address, Cell } from '@ton/core';
import { sign } from '@ton/crypto';
import { parseTransfer, type TonTransfer } from '../../../nodes/core';
import { formatWallet, KEYS, type KeyWallet } from './tonWallets.mts';

/** A key that signs with another library than the signer uses. */
export const KEY = {
	publicKey: KEYS.publicKey,
	sign: (hash: Uint8Array): Uint8Array => sign(Buffer.from(hash), KEYS.secretKey),
};

export interface Message {
	readonly to: Address;
	readonly amount: bigint;
	readonly bounce?: boolean;
	readonly body?: Cell | undefined;
	readonly stateInit?: Cell | undefined;
}

export interface Asked {
	/** The wallet for which the transfer is signed. */
	readonly name: KeyWallet;
	readonly seqno: number;
	readonly sendMode: number;
	readonly validUntil: number;
	readonly messages: readonly Message[];
}

/** Builds a transfer from the form in which workflows write it. */
export function buildTransfer({ name, messages, ...rest }: Asked): TonTransfer {
	return parseTransfer({
		from: formatWallet(name),
		walletType: null,
		...rest,
		messages: messages.map(({ to, amount, bounce = false, body, stateInit }) => ({
			to: to.toString({ bounceable: bounce }),
			amount: String(amount),
			bounce,
			body: body ? toBase64(body) : null,
			stateInit: stateInit ? toBase64(stateInit) : null,
		})),
	});
}

const toBase64 = (cell: Cell) => cell.toBoc().toString('base64');
