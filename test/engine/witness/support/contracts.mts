import type { IDataObject } from 'n8n-workflow';
import { utils } from 'tronweb';
import { deployContract } from '../../../harness/contract.mts';
import { createWallet, hexOf, OWNER, signed } from './wallet.mts';

export * from './wallet.mts';

export const NOWHERE = 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb';
export const OTHER = utils.address.fromPrivateKey('2'.repeat(64)) as string;
export const toWord = (account: string) => BigInt(`0x${hexOf(account).slice(2)}`);
const toBase58 = (evm: string) => utils.address.fromHex(`41${evm.slice(2)}`);

/** Creates a sandbox with contracts and a block each millisecond. Two accounts have some of a token. */
export function createContracts() {
	const made = createWallet({ chain: true });
	const { sandbox, first } = made;
	const contracts = { coin: '', shapes: '', forger: '' };

	beforeAll(async () => {
		const coin = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
		contracts.coin = toBase58(coin.address);
		contracts.shapes = toBase58((await deployContract(sandbox, 'Shapes')).address);
		contracts.forger = toBase58((await deployContract(sandbox, 'Forger')).address);
		for (const owner of [OWNER, OTHER]) {
			const data = coin.data('transfer(address,uint256)', toWord(owner), 500_000_000n);
			await sandbox.mined({ from: coin.owner, to: coin.address, data });
		}
	});
	beforeEach(async () => void (await sandbox.control('PUT', '/wallet', { blockTime: 1 })));

	/** Signs and broadcasts a transaction, and waits until it is irreversible. */
	async function carryOut(transaction: IDataObject): Promise<IDataObject> {
		const text = JSON.stringify(signed(transaction));
		const sending = { resource: 'witness', operation: 'broadcast', transaction: text };
		const { txid } = await first(sending);
		const waiting = { resource: 'transaction', operation: 'wait', transactionId: String(txid) };
		return await first(waiting);
	}

	return { ...made, contracts, carryOut };
}
