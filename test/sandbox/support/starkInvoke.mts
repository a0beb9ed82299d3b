import { CallData, hash } from 'starknet';
import { signInvoke as sign } from '../../cases/starkSigning.mts';
import type { StarkAccount } from '../../harness/starkChain.mts';

export interface InvokeFields {
	[field: string]: unknown;
	sender_address: string;
	calldata: string[];
	nonce: string;
	signature: string[];
}

const SEPOLIA = '0x534e5f5345504f4c4941';

const bound = (amount: string, price: string) => ({
	max_amount: amount,
	max_price_per_unit: price,
});

/** Resource bounds that allow 10 STRK, which is enough for every transaction of the tests. */
export const BOUNDS = {
	l1_gas: bound('0x0', '0x0'),
	l2_gas: bound('0x3b9aca00', '0x1dcd65000'),
	l1_data_gas: bound('0xf4240', '0x3b9aca00'),
};

interface Wishes {
	nonce?: string;
	chainId?: string;
	bounds?: typeof BOUNDS;
	calldata?: string[];
	tip?: string;
}

/** Builds a transfer of STRK. Its hashes and its signature come from the library starknet.js. */
export function signInvoke(account: StarkAccount, wishes: Wishes = {}): InvokeFields {
	const { nonce = '0x0', chainId = SEPOLIA, bounds = BOUNDS, tip = '0x0' } = wishes;
	const calldata = wishes.calldata ?? compileTransfer('0x1');
	const signed = {
		sender_address: account.address,
		calldata,
		nonce,
		resource_bounds: bounds,
		tip,
	};
	const { signature } = sign({ ...signed, chainId }, account.privateKey);
	return {
		type: 'INVOKE',
		version: '0x3',
		...signed,
		signature,
		paymaster_data: [],
		account_deployment_data: [],
		nonce_data_availability_mode: 'L1',
		fee_data_availability_mode: 'L1',
	};
}

const STRK = '0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d';

export const compileTransfer = (low: string, high = '0x0', to = '0x123') =>
	compileCall(STRK, 'transfer', [to, low, high]);

const compileCall = (to: string, name: string, calldata: string[]) =>
	CallData.toHex(['0x1', to, hash.getSelectorFromName(name), String(calldata.length), ...calldata]);
