import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { isTransactionId } from '../../../demo/examples/proofs.mts';
import { line, ours, resultOf, type Access } from '../workflows.mts';
import { control, demo } from '../world.mts';
import type { Case, Json } from './case.mts';

export const LEADER = 'THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC';
const SENDER = '0x143fe26927dd6a302522ea1cd6a821ab06b3753194acee38d88a85c93b3cbc6';
const INVOKE = {
	...{ type: 'INVOKE', max_fee: '0x28ed6103d0000', version: '0x1', signature: ['0x1'] },
	...{ sender_address: SENDER, calldata: ['0x1', '0x2'], nonce: '0x5' },
};

const vote = () => ({
	ownerAddress: demo.signer.address,
	votes: { vote: [{ voteAddress: LEADER, voteCount: '5' }] },
});

function isBuilt([item]: Json[], type: string): void {
	assert.ok(isTransactionId(String(item?.txID), String(item?.raw_data_hex)));
	assert.match(JSON.stringify(item?.raw_data), new RegExp(`"type":"${type}"`));
}

/** A vote as the signer of the demo signs it. */
export async function signedVote(access: Access): Promise<string> {
	const build = ours('witnessWallet', access, { operation: 'vote', ...vote() });
	const [transaction] = await resultOf(line(build));
	const body = JSON.stringify(transaction);
	return await (await fetch(demo.signer.url, { method: 'POST', body })).text();
}

/** The message of the example, for a wallet that the sandbox knows. */
export async function tonMessage() {
	const text = await readFile(
		new URL('../../../examples/ton-fee-check.json', import.meta.url),
		'utf8',
	);
	const setting = (name: string) =>
		new RegExp(`"name": "${name}",\\s+"value": "([^"]+)"`).exec(text)?.[1];
	return { address: setting('address'), body: setting('body') };
}

export const others: readonly Case[] = [
	{
		...{ type: 'l2Simulate', operation: 'simulate', about: 'from JSON' },
		parameters: () => ({ transactions: JSON.stringify([INVOKE, INVOKE]) }),
		check: (items) => {
			assert.equal(items.length, 2);
			assert.match(JSON.stringify(items[0]?.fee_estimation), /"overall_fee":"0x/);
		},
	},
	{
		...{ type: 'l2Simulate', operation: 'simulate', about: 'from fields' },
		parameters: () => ({
			...{ blockBy: 'number', blockNumber: '650000', inputMode: 'fields' },
			simulationFlags: ['SKIP_VALIDATE'],
			transactionFields: { transaction: [{ senderAddress: SENDER, calldata: '0xdead, 0x1' }] },
		}),
		check: ([item]) => assert.match(JSON.stringify(item), /insufficient balance/),
	},
	{
		...{ type: 'witnessWallet', operation: 'vote' },
		parameters: vote,
		check: (items) => isBuilt(items, 'VoteWitnessContract'),
	},
	{
		...{ type: 'witnessWallet', operation: 'create' },
		parameters: () => ({ ownerAddress: demo.signer.address, url: 'https://example.com' }),
		check: (items) => isBuilt(items, 'WitnessCreateContract'),
	},
	{
		...{ type: 'witnessWallet', operation: 'list' },
		parameters: () => ({ limit: 3 }),
		check: (items) => {
			assert.equal(items.length, 3);
			assert.equal(items[0]?.address, LEADER);
		},
	},
	{
		...{ type: 'witnessWallet', operation: 'broadcast' },
		parameters: async (access) => ({ transaction: await signedVote(access) }),
		check: async ([item]) => {
			assert.equal(item?.result, true);
			const sent = await control<Json[]>('GET', '/wallet');
			assert.ok(sent.some(({ txid }) => txid === item?.txid));
		},
	},
	{
		...{ type: 'tonFee', operation: 'estimate' },
		parameters: tonMessage,
		check: ([item]) => {
			const { total, ...parts } = item?.source_fees as Record<string, number | string>;
			const sum = Object.values(parts)
				.filter((part) => Number.isInteger(part))
				.reduce<number>((before, part) => before + Number(part), 0);
			assert.ok(sum > 0);
			assert.equal(total, String(sum));
		},
	},
];
