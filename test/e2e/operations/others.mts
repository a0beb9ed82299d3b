import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { isTransactionId } from '../../../demo/examples/proofs.mts';
import { line, ours, resultOf, type Access, type Parameters } from '../workflows.mts';
import { control, demo } from '../world.mts';
import type { Case, Json } from './case.mts';

export const LEADER = 'THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC';
const SENDER = '0x143fe26927dd6a302522ea1cd6a821ab06b3753194acee38d88a85c93b3cbc6';
const INVOKE = {
	type: 'INVOKE',
	max_fee: '0x28ed6103d0000',
	version: '0x1',
	signature: ['0x1'],
	sender_address: SENDER,
	calldata: ['0x1', '0x2'],
	nonce: '0x5',
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
	return await signed(access, { operation: 'vote', ...vote() });
}

async function signed(access: Access, parameters: Parameters): Promise<string> {
	const [transaction] = await resultOf(line(ours('witnessWallet', access, parameters)));
	const body = JSON.stringify(transaction);
	return await (await fetch(demo.signer.url, { method: 'POST', body })).text();
}

/** A freeze that has been broadcast. */
async function sentFreeze(access: Access): Promise<string> {
	const transaction = await signed(access, {
		resource: 'transaction',
		operation: 'buildFreeze',
		ownerAddress: demo.signer.address,
		amount: '1',
	});
	const broadcast = { operation: 'broadcast', transaction };
	const [item] = await resultOf(line(ours('witnessWallet', access, broadcast)));
	return String(item?.txid);
}

const built = (operation: string, type: string, more: () => Parameters = () => ({})): Case => ({
	type: 'witnessWallet',
	resource: 'transaction',
	operation,
	parameters: () => ({ ownerAddress: demo.signer.address, amount: '1.5', ...more() }),
	check: (items) => isBuilt(items, type),
});

const demoToken = () => `41${demo.chain.token.slice(2).toLowerCase()}`;
const inHex = () => `41${demo.chain.holder.slice(2).toLowerCase()}`;

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
		type: 'l2Simulate',
		operation: 'simulate',
		about: 'from JSON',
		parameters: () => ({ transactions: JSON.stringify([INVOKE, INVOKE]) }),
		check: (items) => {
			assert.equal(items.length, 2);
			assert.match(JSON.stringify(items[0]?.fee_estimation), /"overall_fee":"0x/);
		},
	},
	{
		type: 'l2Simulate',
		operation: 'simulate',
		about: 'from fields',
		parameters: () => ({
			blockBy: 'number',
			blockNumber: '650000',
			inputMode: 'fields',
			simulationFlags: ['SKIP_VALIDATE'],
			transactionFields: { transaction: [{ senderAddress: SENDER, calldata: '0xdead, 0x1' }] },
		}),
		check: ([item]) => assert.match(JSON.stringify(item), /insufficient balance/),
	},
	{
		type: 'witnessWallet',
		resource: 'witness',
		operation: 'vote',
		parameters: vote,
		check: (items) => isBuilt(items, 'VoteWitnessContract'),
	},
	{
		type: 'witnessWallet',
		resource: 'witness',
		operation: 'create',
		parameters: () => ({ ownerAddress: demo.signer.address, url: 'https://example.com' }),
		check: (items) => isBuilt(items, 'WitnessCreateContract'),
	},
	{
		type: 'witnessWallet',
		resource: 'witness',
		operation: 'list',
		parameters: () => ({ limit: 3 }),
		check: (items) => {
			assert.equal(items.length, 3);
			assert.equal(items[0]?.address, LEADER);
		},
	},
	{
		type: 'witnessWallet',
		resource: 'witness',
		operation: 'broadcast',
		parameters: async (access) => ({ transaction: await signedVote(access) }),
		check: async ([item]) => {
			assert.equal(item?.result, true);
			const sent = await control<Json[]>('GET', '/wallet');
			assert.ok(sent.some(({ txid }) => txid === item?.txid));
		},
	},
	built('buildTransfer', 'TransferContract', () => ({ toAddress: LEADER })),
	built('buildTokenTransfer', 'TriggerSmartContract', () => ({
		visible: false,
		ownerAddress: inHex(),
		token: demoToken(),
		toAddress: `41${demo.chain.other.slice(2).toLowerCase()}`,
	})),
	built('buildFreeze', 'FreezeBalanceV2Contract'),
	built('buildUnfreeze', 'UnfreezeBalanceV2Contract'),
	{
		type: 'witnessWallet',
		resource: 'transaction',
		operation: 'get',
		parameters: async (access) => ({ transactionId: await sentFreeze(access) }),
		check: ([item]) => assert.match(String(item?.status), /^(pending|success)$/),
	},
	{
		type: 'witnessWallet',
		resource: 'transaction',
		operation: 'wait',
		parameters: async (access) => ({ transactionId: await sentFreeze(access) }),
		check: ([item]) => assert.equal(item?.status, 'success'),
	},
	{
		type: 'witnessWallet',
		resource: 'account',
		operation: 'get',
		parameters: () => ({ address: demo.signer.address }),
		check: ([item]) => {
			assert.equal(item?.exists, true);
			assert.match(String(item?.balance), /^\d+(\.\d+)?$/);
		},
	},
	{
		type: 'witnessWallet',
		resource: 'contract',
		operation: 'call',
		parameters: () => ({
			contract: demoToken(),
			argumentsBy: 'json',
			arguments: JSON.stringify([inHex()]),
			function: 'balanceOf(address owner) view returns (uint256)',
		}),
		check: ([item]) => assert.ok(BigInt(String(item?.result)) > 0n),
	},
	{
		type: 'witnessWallet',
		resource: 'api',
		operation: 'request',
		parameters: () => ({ path: 'wallet/getnowblock' }),
		check: ([item]) => assert.match(JSON.stringify(item?.block_header), /"number":\d+/),
	},
	{
		type: 'tonFee',
		resource: 'api',
		operation: 'request',
		parameters: () => ({ path: 'masterchainInfo' }),
		check: ([item]) => assert.match(JSON.stringify(item?.last), /"seqno":\d+/),
	},
	{
		type: 'tonFee',
		resource: 'fee',
		operation: 'estimate',
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
