import assert from 'node:assert/strict';
import { HDNodeWallet } from 'ethers';
import { encodeFunctionData, getContractAddress, parseAbi, toFunctionSelector } from 'viem';
import { LEADER, type NodeCases } from './case.mts';
import { TON_MESSAGE } from './tonFee.mts';

const TRANSFER_FUNCTION = 'transfer(address to, uint256 amount) returns (bool)';
/** The account key of the public mnemonic that development chains use. */
const ACCOUNT_KEY = HDNodeWallet.fromPhrase(
	'test test test test test test test test test test test junk',
	undefined,
	"m/44'/60'/0'",
).neuter().extendedKey;
const abi = parseAbi(['function transfer(address to, uint256 amount) returns (bool)']);
const TO_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const AMOUNT = '1250000';
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
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
			resource: 'address',
			operation: 'derive',
			parameters: () => ({ accountKey: ACCOUNT_KEY, index: 42 }),
			check: ([item]) => {
				const evm = HDNodeWallet.fromExtendedKey(ACCOUNT_KEY).derivePath('0/42').address;
				assert.deepEqual([item?.path, item?.evm], ['0/42', evm]);
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
		{
			resource: 'payment',
			operation: 'link',
			parameters: () => ({ to: TO_ADDRESS, amount: '12.5', token: USDC, decimals: 6 }),
			check: (items) => {
				const link = `ethereum:${USDC}@1/transfer?address=${TO_ADDRESS}&uint256=12500000`;
				assert.deepEqual(items, [{ link }]);
			},
		},
	],
};
