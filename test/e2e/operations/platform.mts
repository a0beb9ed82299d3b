import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { computeCid } from '../../../demo/examples/proofs.mts';
import { node, set } from '../workflows.mts';
import { balanceOf, demo } from '../world.mts';
import type { Case, Json } from './case.mts';

const file = `A report of ${randomBytes(8).toString('hex')}`;
const toFile = node(
	'Make File',
	'n8n-nodes-base.convertToFile',
	{ operation: 'toText', sourceProperty: 'text', options: { fileName: 'report.txt' } },
	{ typeVersion: 1.1 },
);
const account = `0x${randomBytes(20).toString('hex')}`;
const content = { made: randomBytes(8).toString('hex') };

export const platform: readonly Case[] = [
	{
		type: 'platform',
		resource: 'organization',
		operation: 'get',
		accesses: ['platform'],
		check: ([item, ...more]) => {
			assert.deepEqual(more, []);
			assert.equal(typeof item?.id, 'string');
			assert.equal(typeof item?.name, 'string');
		},
	},
	{
		type: 'platform',
		resource: 'project',
		operation: 'getAll',
		accesses: ['platform'],
		parameters: () => ({ returnAll: true, options: { orderBy: '-name' } }),
		check: (items) => {
			const names = items.map(({ name }) => String(name));
			assert.equal(names.length, 237);
			assert.deepEqual(names, [...names].sort().reverse());
		},
	},
	{
		type: 'ipfsPin',
		operation: 'upload',
		accesses: ['platform'],
		before: [set('Text', { text: file }), toFile],
		parameters: () => ({ bucketId: 'BUCK-1', options: { folderId: 'FOLD-1' } }),
		check: async ([item]) => {
			assert.equal(item?.cid, await computeCid(file));
			assert.deepEqual([item?.title, item?.folder_id], ['report.txt', 'FOLD-1']);
		},
	},
	{
		type: 'ipfsPin',
		operation: 'uploadJson',
		accesses: ['platform'],
		parameters: () => ({
			bucketId: 'BUCK-2',
			json: JSON.stringify(content),
			fileName: 'made.json',
		}),
		check: async ([item]) => {
			assert.equal(item?.title, 'made.json');
			const text = await (await fetch(String(item?.public_link))).text();
			assert.deepEqual(JSON.parse(text), content);
			assert.equal(item?.cid, await computeCid(text));
		},
	},
	{
		type: 'faucet',
		operation: 'request',
		accesses: ['platform'],
		parameters: () => ({ chain: 'hoodi', address: account }),
		check: paid,
	},
];

/** The faucet's answer must agree with the chain. */
async function paid([item]: Json[]): Promise<void> {
	assert.deepEqual([item?.chain, item?.address], ['hoodi', account]);
	const { chain } = demo.sandbox;
	const receipt = (await chain('eth_getTransactionReceipt', item?.transactionHash)) as Json;
	assert.equal(receipt.to, account);
	assert.equal(await balanceOf(account), String(10n ** 17n));
}
