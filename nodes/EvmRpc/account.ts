import { asDecimal, hexString } from '../core/evm/chainObject';
import type { Field } from '../core/operation/field';
import { path } from '../core/operation/sharedFields';
import { rpc } from '../core/protocols/rpc';
import { rpcOptions } from '../core/protocols/transportOptions';
import { evmAddress } from '../core/values/hex';
import { stateBlock } from './fields';

const address = {
	displayName: 'Address',
	name: 'address',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The account whose balance is read',
	read: evmAddress,
} as const satisfies Field;

const getBalance = rpc({
	name: 'Get Balance',
	action: 'Get the balance of an account',
	description: 'Get the balance of an account in wei',
	fields: [address, stateBlock, path('/'), rpcOptions()],
	request: (p) => ({ path: p.path, method: 'eth_getBalance', params: [p.address, p.block] }),
	answer: hexString('a balance as 0x-hex'),
	// The documented result, and the same amount as people write it.
	items: (balance) => [{ result: balance, wei: asDecimal(balance) }],
});

export const account = { name: 'Account', operations: { getBalance } };
