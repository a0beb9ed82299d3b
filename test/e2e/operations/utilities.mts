import assert from 'node:assert/strict';
import { encodeFunctionData, getContractAddress, hashTypedData, parseAbi } from 'viem';
import { demo } from '../world.mts';
import type { Case } from './case.mts';

const nobody = { type: 'utilities', accesses: ['nobody'] } as const;
const ABI = ['function transfer(address to, uint256 amount) returns (bool)'] as const;
const abi = parseAbi(ABI);

const payer = () => demo.chain.payer as `0x${string}`;
const transfer = () =>
	encodeFunctionData({ abi, functionName: 'transfer', args: [payer(), 10n ** 18n] });

const mail = {
	types: { Mail: [{ name: 'contents', type: 'string' }] },
	primaryType: 'Mail',
	domain: { name: 'Mail', chainId: 1 },
	message: { contents: 'Hello' },
} as const;

export const utilities: readonly Case[] = [
	{
		...nobody,
		resource: 'amount',
		operation: 'convert',
		parameters: () => ({ amount: '1234567890123456789', from: 'wei', to: 'ether' }),
		check: (items) => assert.deepEqual(items, [{ amount: '1.234567890123456789' }]),
	},
	{
		...nobody,
		resource: 'address',
		operation: 'convert',
		parameters: () => ({ address: demo.signer.address }),
		check: ([item]) => {
			assert.deepEqual([item?.kind, item?.witnessBase58], ['witness', demo.signer.address]);
			assert.match(String(item?.evm), /^0x[0-9a-fA-F]{40}$/);
		},
	},
	{
		...nobody,
		resource: 'address',
		operation: 'compute',
		parameters: () => ({ deployer: payer(), nonce: '7' }),
		check: (items) => {
			const address = getContractAddress({ from: payer(), nonce: 7n });
			assert.deepEqual(items, [{ address }]);
		},
	},
	{
		...nobody,
		resource: 'data',
		operation: 'encode',
		parameters: () => ({
			function: ABI[0],
			argumentFields: {
				mappingMode: 'defineBelow',
				value: { to: payer(), amount: String(10n ** 18n) },
			},
		}),
		check: (items) => assert.deepEqual(items, [{ data: transfer() }]),
	},
	{
		...nobody,
		resource: 'data',
		operation: 'decode',
		parameters: () => ({ function: ABI[0], data: transfer() }),
		check: ([item]) => {
			const { to, amount } = item?.args as { to: string; amount: string };
			assert.deepEqual([item?.name, amount], ['transfer', String(10n ** 18n)]);
			assert.equal(to.toLowerCase(), payer().toLowerCase());
		},
	},
	{
		...nobody,
		resource: 'hash',
		operation: 'compute',
		parameters: () => ({ algorithm: 'typedData', input: JSON.stringify(mail) }),
		check: (items) => assert.deepEqual(items, [{ hash: hashTypedData(mail) }]),
	},
];
