import { type Address, type Message, type StateInit, toNano, type Transaction } from '@ton/core';
import { Blockchain, EmulationError, SmartContract } from '@ton/sandbox';
import { wallet } from './wallet.mts';

/** Time stands still, so that the same question always costs the same. */
const now = 1_760_000_000;
const day = 86_400;

const blockchain = await Blockchain.create();
blockchain.now = now;

export class NotAccepted extends Error {}

/** The transaction that a message makes at an address; with `init` the account has no code yet. */
export async function emulated(
	address: Address,
	message: Message,
	{ ignoreChksig, init }: { ignoreChksig: boolean; init?: StateInit | undefined },
): Promise<Transaction> {
	const contract = contractAt(address, init === undefined);
	try {
		return await contract.receiveMessage(message, { ignoreChksig });
	} catch (error) {
		if (!(error instanceof EmulationError)) throw error;
		const code = error.exitCode === undefined ? '' : `, exitcode=${error.exitCode}`;
		throw new NotAccepted(`external message was not accepted: ${error.error}${code}`);
	}
}

function contractAt(address: Address, isDeployed: boolean): SmartContract {
	const active = { type: 'active', state: wallet.init } as const;
	const storage = {
		lastTransLt: 0n,
		balance: { coins: toNano(1000) },
		state: isDeployed ? active : ({ type: 'uninit' } as const),
	};
	const used = { cells: 0n, bits: 0n };
	const storageStats = { used, lastPaid: now - day, storageExtra: null };
	const account = { addr: address, storage, storageStats };
	const shardAccount = { account, lastTransactionLt: 0n, lastTransactionHash: 0n };
	return new SmartContract(shardAccount, blockchain);
}
