import assert from 'node:assert/strict';
import { encodeFunctionData, getContractAddress, parseAbi, toFunctionSelector } from 'viem';
import { LEADER, type NodeCases } from './case.mts';
import { TON_MESSAGE } from './tonFee.mts';

const TRANSFER_FUNCTION = 'transfer(address to, uint256 amount) returns (bool)';
const abi = parseAbi(['function transfer(address to, uint256 amount) returns (bool)']);
const TO_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const AMOUNT = '1250000';
const data = encodeFunctionData({ abi, args: [TO_ADDRESS, BigInt(AMOUNT)] });

export const utilities: NodeCases = {
	node: 'utilities',
	accesses: ['nobody'],
	cases: [
		{
			resource: 'amount',
			operation: 'convert',
			parameters: () => ({ amount: '1234567890123456789' }),
			check: (items) => assert.deepEqual(items, [{ amount: '1.234567890123456789' }]),
		},
		{
			resource: 'address',
			operation: 'convert',
			parameters: () => ({ address: LEADER }),
			check: ([item]) => {
				assert.deepEqual([item?.kind, item?.witnessBase58], ['witness', LEADER]);
				assert.match(String(item?.evm), /^0x[0-9a-fA-F]{40}$/);
			},
			alsoForSchema: () => [{ address: TON_MESSAGE.address }],
		},
		{
			resource: 'address',
			operation: 'compute',
			parameters: () => ({ deployer: TO_ADDRESS, nonce: '0' }),
			check: (items) => {
				const address = getContractAddress({ from: TO_ADDRESS, nonce: 0n });
				assert.deepEqual(items, [{ address }]);
			},
		},
		{
			resource: 'data',
			operation: 'encode',
			parameters: () => ({
				function: TRANSFER_FUNCTION,
				argumentsBy: 'json',
				arguments: `["${TO_ADDRESS}", "${AMOUNT}"]`,
			}),
			check: (items) => assert.deepEqual(items, [{ data }]),
		},
		{
			resource: 'data',
			operation: 'decode',
			noSchema: 'the arguments of the function',
			parameters: () => ({ function: TRANSFER_FUNCTION, data }),
			check: ([item]) => {
				const args = { to: TO_ADDRESS, amount: AMOUNT };
				assert.deepEqual([item?.name, item?.args], ['transfer', args]);
			},
		},
		{
			resource: 'hash',
			operation: 'compute',
			parameters: () => ({ algorithm: 'selector', input: TRANSFER_FUNCTION }),
			check: (items) =>
				assert.deepEqual(items, [{ hash: toFunctionSelector('transfer(address,uint256)') }]),
		},
	],
};
