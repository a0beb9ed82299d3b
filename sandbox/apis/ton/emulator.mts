import { type Address, type Message, type StateInit, toNano, type Transaction } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { Blockchain, EmulationError, SmartContract } from '@ton/sandbox';
import { WalletContractV4 } from '@ton/ton';

/** The key of the wallet that the emulator puts at every address. */
export const walletKeys = keyPairFromSeed(Buffer.alloc(32, 7));

/**
 * The wallet that the emulator puts at an address. Its sequence number is always 0, because an estimate changes
 * nothing.
 */
export const wallet = WalletContractV4.create({ workchain: 0, publicKey: walletKeys.publicKey });

/** The clock of the emulator stands still, so that the same request always costs the same. */
const NOW_SECONDS = 1_760_000_000;
const DAY_SECONDS = 86_400;

/**
 * The storage that the emulator counts for an account with and without code. The account owes rent on it for the last
 * day.
 */
const WALLET_SPACE = { cells: 22n, bits: 5697n };
const ADDRESS_SPACE = { cells: 1n, bits: 103n };

const blockchain = await Blockchain.create();
blockchain.now = NOW_SECONDS;

export class NotAccepted extends Error {}

/** Emulates the transaction that a message causes at an address. If `init` is given, the account has no code yet. */
export async function emulateTransaction(
	address: Address,
	message: Message,
	{ ignoreChksig, init }: { ignoreChksig: boolean; init?: StateInit | undefined },
): Promise<Transaction> {
	const contract = createContract(address, init === undefined);
	try {
		return await contract.receiveMessage(message, { ignoreChksig });
	} catch (error) {
		if (!(error instanceof EmulationError)) throw error;
		const { exitCode } = error;
		const why = exitCode === undefined ? `: ${error.error}` : `, exitcode=${exitCode}`;
		throw new NotAccepted(`external message was not accepted by the contract${why}`);
	}
}

function createContract(address: Address, isDeployed: boolean): SmartContract {
	const active = { type: 'active', state: wallet.init } as const;
	const storage = {
		lastTransLt: 0n,
		balance: { coins: toNano(1000) },
		state: isDeployed ? active : ({ type: 'uninit' } as const),
	};
	const used = isDeployed ? WALLET_SPACE : ADDRESS_SPACE;
	const storageStats = { used, lastPaid: NOW_SECONDS - DAY_SECONDS, storageExtra: null };
	const account = { addr: address, storage, storageStats };
	const shardAccount = { account, lastTransactionLt: 0n, lastTransactionHash: 0n };
	return new SmartContract(shardAccount, blockchain);
}
