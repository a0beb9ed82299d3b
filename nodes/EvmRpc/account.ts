import { formatCoinBalance } from '../core/chain/payment';
import { hexParser, quantityToDecimal, quantityToNumber } from '../core/evm/chainObjects';
import type { Field } from '../core/operation/field';
import { pathField } from '../core/operation/path';
import { rpcOperation } from '../core/protocols/rpc/operation';
import { checksumAddress, parseEvmAddress } from '../core/evm/address';
import { stateBlock } from './fields';

const address = {
	displayName: 'Address',
	name: 'address',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The account or contract to look up',
	parse: parseEvmAddress,
} as const satisfies Field;

const getBalance = rpcOperation({
	name: 'Get Balance',
	action: 'Get balance of account',
	description: 'Get the balance of an account in the coin of the chain',
	fields: [address, stateBlock, pathField('/')],
	request: (p) => ({ method: 'eth_getBalance', params: [p.address, p.block] }),
	answer: hexParser('a balance as 0x-hex'),
	// The item first has the keys that balances have on every chain, and then the keys in the documentation of EVM nodes.
	items: (result, p) => {
		const units = quantityToDecimal(result);
		const coins = formatCoinBalance('evm', units === null ? null : BigInt(units));
		const { value: wei, amount: ether } = coins;
		return [{ address: checksumAddress(p.address), ...coins, result, wei, ether }];
	},
});

const getTransactionCount = rpcOperation({
	name: 'Get Transaction Count',
	action: 'Get nonce of account',
	description:
		'Get how many transactions an account has sent. With pending as the block, this is the number (nonce) of its next transaction.',
	fields: [address, stateBlock, pathField('/')],
	request: (p) => ({ method: 'eth_getTransactionCount', params: [p.address, p.block] }),
	answer: hexParser('a transaction count as 0x-hex'),
	items: (count) => [{ result: count, transactionCount: quantityToNumber(count) }],
});

/** Matches the code of an account that delegates to the code of another address (EIP-7702). */
const DELEGATION_PATTERN = /^0xef0100([0-9a-f]{40})$/i;

const getCode = rpcOperation({
	name: 'Get Code',
	action: 'Get code at address',
	description: 'Find out whether an address is a contract, and get its code',
	fields: [address, stateBlock, pathField('/')],
	request: (p) => ({ method: 'eth_getCode', params: [p.address, p.block] }),
	answer: hexParser('code as 0x-hex'),
	items: (code, p) => {
		const [, delegate] = DELEGATION_PATTERN.exec(code) ?? [];
		return [
			{
				address: checksumAddress(p.address),
				isContract: code !== '0x' && delegate === undefined,
				code,
				delegatedTo: delegate === undefined ? null : checksumAddress(`0x${delegate}`),
			},
		];
	},
});

export const account = {
	name: 'Account',
	operations: { getBalance, getCode, getTransactionCount },
};
