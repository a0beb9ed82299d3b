import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { asItem, broadcast, LEADER, OWNER, signed, vote, type Wallet } from './wallet.mts';

/**
 * Creates the parameters of the operations that freeze, lend and move coins, and a function that carries out their
 * transactions.
 */
export function createBuilders({ first, sandbox }: Wallet) {
	const builder =
		(operation: string, given: INodeParameters = {}) =>
		(more: INodeParameters = {}): INodeParameters => ({
			resource: 'transaction',
			operation,
			ownerAddress: OWNER,
			...given,
			...more,
		});
	const loan = { receiverAddress: LEADER, amount: '1.5' };
	const freeze = builder('buildFreeze', { amount: '1.5' });
	const unfreeze = builder('buildUnfreeze', { amount: '1.5' });
	const delegate = builder('buildDelegate', loan);

	/** Builds, signs and broadcasts a transaction. */
	async function carryOut(parameters: INodeParameters): Promise<IDataObject> {
		const transaction = signed(await first(parameters));
		return await first(broadcast('={{ $json }}'), asItem(transaction));
	}

	return {
		transfer: builder('buildTransfer', { toAddress: LEADER, amount: '1.5' }),
		freeze,
		unfreeze,
		delegate,
		undelegate: builder('buildUndelegate', loan),
		withdraw: builder('buildWithdraw'),
		carryOut,
		/** Makes the account freeze, lend and unfreeze coins, and vote. */
		prepareAll: async () => {
			await sandbox.control('PUT', '/wallet', { unfreezingTime: 0 });
			await carryOut(freeze({ forResource: 'energy', amount: '10' }));
			await carryOut(delegate());
			await carryOut(delegate({ forResource: 'energy' }));
			await carryOut(unfreeze({ amount: '5' }));
			await carryOut(vote());
		},
	};
}
