import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { TronWeb } from 'tronweb';
import { parseUnits } from 'viem';
import { LEADER, type Case, type FaultRow, type NodeCases, type Scene } from './case.mts';
import { MARKED_WITNESS, SIX } from './marked.mts';

/** The price in sun of a unit of energy on the sandbox's chain. */
const ENERGY_PRICE_SUN = 100;
const ACCOUNT = `41${'1'.repeat(40)}`;
const VOTES = { vote: [{ voteAddress: LEADER, voteCount: '5' }] };
/**
 * A transaction whose signature is `$json.mark`, which identifies the item. Requests that only look up the ID of the
 * transaction then do not count as sending it.
 */
const MARKED_TRANSACTION =
	'={{ ({ txID: "0".repeat(64), raw_data: {}, signature: [$json.mark] }) }}';

/** Converts an address of the EVM chain to the form of TRON. */
const toWitness = (address: string) => TronWeb.address.fromHex(`41${address.slice(2)}`);

/** Returns a vote that is signed with the key of the scene's account. */
export async function signVote({ first, sign, witnessOwner }: Scene): Promise<string> {
	const vote = { resource: 'witness', operation: 'vote', ownerAddress: witnessOwner, votes: VOTES };
	return await sign(await first('witnessWallet', vote));
}

/** Broadcasts a signed vote, and returns its transaction ID. */
async function sendVote(scene: Scene): Promise<string> {
	return await broadcast(scene, await signVote(scene));
}

async function broadcast({ first }: Scene, transaction: string): Promise<string> {
	const parameters = { resource: 'witness', operation: 'broadcast', transaction };
	const { txid } = await first('witnessWallet', parameters);
	return String(txid);
}

/** Builds, signs and broadcasts. */
async function carryOut(scene: Scene, parameters: INodeParameters): Promise<string> {
	const built = await scene.first('witnessWallet', { resource: 'transaction', ...parameters });
	return await broadcast(scene, await scene.sign(built));
}

/** Transfers an amount of 0 of the token. Even an account without the token may do this. */
async function transferNothing(scene: Scene, more: INodeParameters = {}): Promise<string> {
	return await carryOut(scene, {
		operation: 'buildTokenTransfer',
		ownerAddress: scene.witnessOwner,
		toAddress: LEADER,
		token: toWitness(scene.token.address),
		amount: '0',
		...more,
	});
}

/** Sends a transfer whose fee limit does not cover its energy, so it fails with a reason. */
async function sendFailingTransfer(scene: Scene): Promise<string> {
	const transactionId = await transferNothing(scene, { feeLimit: '0.1' });
	const waiting = { resource: 'transaction', operation: 'wait', transactionId };
	await scene.first('witnessWallet', waiting);
	return transactionId;
}

/** Sends a transfer, and returns the parameters that name its block. */
async function findBlockOfTransfer(scene: Scene): Promise<INodeParameters> {
	const transactionId = await transferNothing(scene);
	const waiting = { resource: 'transaction', operation: 'wait', transactionId };
	const { blockNumber } = await scene.first('witnessWallet', waiting);
	return { fromBlock: String(blockNumber), toBlock: String(blockNumber) };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The values that the sample shows in place of values that depend on the time. */
const SENT = {
	given: { transactionId: '{{ $json.transactionId }}' },
	outcome: {
		transactionId: sha256('transaction'),
		blockNumber: 70_000_001,
		timestamp: '2026-01-15T10:00:03.000Z',
	},
};

function assertBuilt(item: IDataObject | undefined, contract: string): void {
	const { summary, transaction, ...beside } = item ?? {};
	assert.match(String(summary), /^[A-Z].*[^.]\.$/);
	assert.deepEqual(transaction, beside);
	const bytes = Buffer.from(String(item?.raw_data_hex), 'hex');
	assert.equal(item?.txID, createHash('sha256').update(bytes).digest('hex'));
	assert.ok(JSON.stringify(item?.raw_data).includes(`"type":"${contract}"`));
}

/** The parameters of a call that any account may make to a token. */
const APPROVE = {
	function: 'approve(address spender, uint256 amount) returns (bool)',
	argumentsBy: 'json',
	arguments: JSON.stringify([LEADER, '25500000']),
};

/** Describes a request that builds a transaction. The correct answer is the transaction that the request asks for. */
const rowOf = (builds: string, asks: INodeParameters): FaultRow => ({
	travels: 'rest',
	builds,
	asks: { ...asks, ownerAddress: MARKED_WITNESS, visible: false },
});

/** The result of a constant call that returns the number six. */
const SIX_RETURNED = { result: { result: true }, constant_result: [SIX.slice(2)], energy_used: 5 };

/** Builds a row for a call that the node runs before the transaction is built. */
const callRowOf = (steps: readonly number[], asks: INodeParameters): FaultRow => ({
	...rowOf('TriggerSmartContract', asks),
	others: { triggerconstantcontract: SIX_RETURNED },
	steps,
});

const builders: readonly Case[] = [
	{
		resource: 'witness',
		operation: 'vote',
		parameters: ({ witnessOwner }) => ({ ownerAddress: witnessOwner, votes: VOTES }),
		check: ([item]) => assertBuilt(item, 'VoteWitnessContract'),
		faults: [
			rowOf('VoteWitnessContract', { votes: { vote: [{ voteAddress: ACCOUNT, voteCount: '1' }] } }),
		],
	},
	{
		resource: 'witness',
		operation: 'create',
		parameters: ({ witnessOwner }) => ({
			ownerAddress: witnessOwner,
			url: 'https://example.com',
		}),
		check: ([item]) => assertBuilt(item, 'WitnessCreateContract'),
		faults: [rowOf('WitnessCreateContract', { url: 'https://example.com' })],
	},
	{
		resource: 'transaction',
		operation: 'buildTransfer',
		parameters: ({ witnessOwner }) => ({
			ownerAddress: witnessOwner,
			toAddress: LEADER,
			amount: '1.5',
		}),
		check: ([item]) => assertBuilt(item, 'TransferContract'),
		faults: [rowOf('TransferContract', { toAddress: ACCOUNT, amount: '1.5' })],
	},
	{
		resource: 'transaction',
		operation: 'buildTokenTransfer',
		parameters: ({ holder, token }) => ({
			ownerAddress: toWitness(holder),
			token: toWitness(token.address),
			toAddress: LEADER,
			amount: '1.5',
		}),
		check: ([item]) => assertBuilt(item, 'TriggerSmartContract'),
		faults: [callRowOf([1, 1, 1], { token: MARKED_WITNESS, toAddress: ACCOUNT, amount: '1.5' })],
	},
	{
		resource: 'transaction',
		operation: 'buildFreeze',
		parameters: ({ witnessOwner }) => ({
			ownerAddress: witnessOwner,
			amount: '100',
			forResource: 'energy',
		}),
		check: ([item]) => assertBuilt(item, 'FreezeBalanceV2Contract'),
		faults: [rowOf('FreezeBalanceV2Contract', { amount: '1.5' })],
	},
	{
		resource: 'transaction',
		operation: 'buildUnfreeze',
		parameters: ({ witnessOwner }) => ({ ownerAddress: witnessOwner, amount: '10' }),
		check: ([item]) => assertBuilt(item, 'UnfreezeBalanceV2Contract'),
		faults: [rowOf('UnfreezeBalanceV2Contract', { amount: '1.5' })],
	},
	{
		resource: 'transaction',
		operation: 'buildTokenApproval',
		parameters: ({ witnessOwner, token }) => ({
			ownerAddress: witnessOwner,
			token: toWitness(token.address),
			spender: LEADER,
			amount: '25.5',
		}),
		check: ([item]) => assertBuilt(item, 'TriggerSmartContract'),
		faults: [callRowOf([1, 1, 1], { token: MARKED_WITNESS, spender: ACCOUNT, amount: '1.5' })],
	},
	{
		resource: 'transaction',
		operation: 'buildDelegate',
		parameters: ({ witnessOwner }) => ({
			ownerAddress: witnessOwner,
			receiverAddress: LEADER,
			amount: '10',
			lockDays: 3,
		}),
		check: ([item]) => assertBuilt(item, 'DelegateResourceContract'),
		faults: [
			rowOf('DelegateResourceContract', { receiverAddress: ACCOUNT, amount: '1.5', lockDays: 1 }),
		],
	},
	{
		resource: 'transaction',
		operation: 'buildUndelegate',
		parameters: async (scene) => {
			const ownerAddress = scene.witnessOwner;
			const loan = { ownerAddress, receiverAddress: LEADER, amount: '10' };
			await carryOut(scene, { operation: 'buildDelegate', ...loan });
			return loan;
		},
		check: ([item]) => assertBuilt(item, 'UnDelegateResourceContract'),
		faults: [rowOf('UnDelegateResourceContract', { receiverAddress: ACCOUNT, amount: '1.5' })],
	},
	{
		resource: 'transaction',
		operation: 'buildWithdraw',
		parameters: async (scene) => {
			await sendVote(scene);
			return { ownerAddress: scene.witnessOwner, what: 'rewards' };
		},
		check: ([item]) => assertBuilt(item, 'WithdrawBalanceContract'),
		faults: [rowOf('WithdrawExpireUnfreezeContract', {})],
	},
	{
		resource: 'contract',
		operation: 'buildCall',
		parameters: ({ witnessOwner, token }) => ({
			ownerAddress: witnessOwner,
			contract: toWitness(token.address),
			...APPROVE,
		}),
		check: ([item]) => assertBuilt(item, 'TriggerSmartContract'),
		faults: [callRowOf([1, 1], { contract: ACCOUNT, ...APPROVE })],
	},
];

const others: readonly Case[] = [
	{
		resource: 'witness',
		operation: 'list',
		parameters: () => ({ limit: 3 }),
		check: (items) => {
			assert.equal(items.length, 3);
			assert.equal(items[0]?.address, LEADER);
		},
		alsoForSchema: () => [{ returnAll: true }],
	},
	{
		resource: 'witness',
		operation: 'broadcast',
		parameters: async (scene) => ({ transaction: await signVote(scene) }),
		check: async ([item], { control }) => {
			assert.deepEqual([item?.result, item?.wasKnown], [true, false]);
			const sent = (await control('/wallet')) as ReadonlyArray<{ txid: string }>;
			assert.ok(sent.some(({ txid }) => txid === item?.txid));
		},
		shown: { given: { transaction: '{{ $json.transaction }}' } },
		faults: [
			{
				travels: 'once',
				asks: { transaction: MARKED_TRANSACTION },
				answer: { result: true },
				isInTurn: true,
			},
		],
	},
	{
		resource: 'account',
		operation: 'get',
		parameters: async (scene) => {
			await sendVote(scene);
			return { address: scene.witnessOwner };
		},
		check: ([item]) => {
			assert.deepEqual(
				[item?.exists, item?.votes],
				[true, [{ voteAddress: LEADER, voteCount: 5 }]],
			);
			assert.match(String(item?.balance), /^\d+(\.\d+)?$/);
		},
		faults: [
			{
				about: 'one that does not exist',
				travels: 'rest',
				asks: { address: MARKED_WITNESS, visible: false },
				answer: {},
				steps: [2],
				takesAny: true,
			},
		],
	},
	{
		resource: 'account',
		operation: 'getBalance',
		parameters: ({ witnessOwner }) => ({ address: witnessOwner }),
		check: ([item]) => {
			const { symbol, decimals, value, amount, balance } = item ?? {};
			assert.deepEqual([symbol, decimals, amount], ['TRX', 6, balance]);
			assert.equal(parseUnits(String(amount), 6), BigInt(String(value)));
		},
		faults: [
			{
				travels: 'rest',
				asks: { address: MARKED_WITNESS, visible: false },
				answer: {},
				takesAny: true,
			},
		],
	},
	{
		resource: 'transaction',
		operation: 'get',
		parameters: async (scene) => {
			const transactionId = await sendVote(scene);
			await scene.first('witnessWallet', {
				resource: 'transaction',
				operation: 'wait',
				transactionId,
			});
			return { transactionId };
		},
		check: ([item]) => assert.equal(item?.status, 'success'),
		alsoForSchema: (scene) => [
			sendFailingTransfer(scene).then((transactionId) => ({ transactionId })),
		],
		shown: SENT,
		faults: [
			{
				about: 'one that waits',
				travels: 'rest',
				asks: { transactionId: '={{ $json.mark + "0".repeat(24) }}' },
				answer: {},
				steps: [1, 2],
				takesAny: true,
			},
		],
	},
	{
		resource: 'transaction',
		operation: 'wait',
		parameters: async (scene) => ({ transactionId: await sendVote(scene) }),
		check: ([item]) => assert.equal(item?.status, 'success'),
		alsoForSchema: (scene) => [
			sendFailingTransfer(scene).then((transactionId) => ({ transactionId })),
		],
		shown: SENT,
	},
	{
		resource: 'contract',
		operation: 'call',
		noSchema: 'what the function returns',
		parameters: ({ token, holder }) => ({
			contract: toWitness(token.address),
			function: 'balanceOf(address owner) view returns (uint256)',
			argumentsBy: 'json',
			arguments: JSON.stringify([toWitness(holder)]),
		}),
		check: ([item], { gifts }) =>
			assert.equal(item?.result, String(gifts.reduce((sum, gift) => sum + gift, 0n))),
		faults: [
			{
				travels: 'rest',
				asks: {
					contract: ACCOUNT,
					function: 'balanceOf(address owner) view returns (uint256)',
					argumentsBy: 'json',
					arguments: '={{ [ "41" + $json.mark ] }}',
				},
				answer: { result: { result: true }, constant_result: ['0'.repeat(64)], energy_used: 5 },
			},
		],
	},
	{
		resource: 'contract',
		operation: 'estimateEnergy',
		parameters: ({ witnessOwner, token }) => ({
			contract: toWitness(token.address),
			ownerAddress: witnessOwner,
			...APPROVE,
		}),
		check: ([item]) => {
			assert.ok(Number(item?.energy) > 0);
			const burnt = (Number(item?.energy) - Number(item?.energyOwn)) * ENERGY_PRICE_SUN;
			assert.equal(Number(item?.feeCoins), burnt / 1_000_000);
		},
		shown: { given: {}, outcome: { energy: 46_000, feeCoins: '4.6' } },
		faults: [
			{
				travels: 'rest',
				asks: { contract: ACCOUNT, ownerAddress: MARKED_WITNESS, ...APPROVE },
				others: {
					triggerconstantcontract: SIX_RETURNED,
					estimateenergy: { result: { result: true }, energy_required: 6 },
					getaccountresource: {},
					getchainparameters: { chainParameter: [{ key: 'getEnergyFee', value: 100 }] },
				},
				steps: [3],
			},
		],
	},
	{
		resource: 'token',
		operation: 'get',
		parameters: ({ token }) => ({ token: toWitness(token.address) }),
		check: ([item], { token }) =>
			assert.deepEqual(
				[item?.name, item?.symbol, item?.decimals, item?.totalSupply],
				[token.name, token.symbol, token.decimals, String(token.totalSupply)],
			),
		faults: [
			{ travels: 'rest', asks: { token: MARKED_WITNESS }, answer: SIX_RETURNED, steps: [4] },
		],
	},
	{
		resource: 'token',
		operation: 'getBalance',
		parameters: ({ token, holder }) => ({
			token: toWitness(token.address),
			owner: toWitness(holder),
		}),
		check: ([item], { gifts, holder }) =>
			assert.deepEqual(
				[item?.balance, item?.owner],
				[String(gifts.reduce((sum, gift) => sum + gift, 0n)), toWitness(holder)],
			),
		faults: [
			{
				travels: 'rest',
				asks: { token: MARKED_WITNESS, owner: ACCOUNT },
				answer: SIX_RETURNED,
				steps: [3],
			},
		],
	},
	{
		resource: 'token',
		operation: 'getTransfers',
		parameters: async (scene) => {
			const accounts = scene.witnessOwner;
			return { accounts, ...(await findBlockOfTransfer(scene)) };
		},
		check: ([item], { witnessOwner, token }) =>
			assert.deepEqual(
				[item?.token, item?.from, item?.to, item?.value],
				[toWitness(token.address), witnessOwner, LEADER, '0'],
			),
		shown: {
			given: { fromBlock: '70000000', toBlock: 'latest' },
			outcome: {
				key: `${sha256('transaction')}:${sha256('key').slice(0, 32)}`,
				timestamp: '2026-01-15T10:00:03.000Z',
				value: '25500000',
				amount: '25.5',
				blockNumber: 70_000_001,
				blockHash: `${(70_000_001).toString(16).padStart(16, '0')}${sha256('block').slice(16)}`,
				transactionHash: sha256('transaction'),
			},
		},
	},
	{
		resource: 'api',
		operation: 'request',
		noSchema: 'what a method of any name gives',
		parameters: () => ({
			path: 'wallet/getaccount',
			body: JSON.stringify({ address: LEADER, visible: true }),
		}),
		check: ([item]) => assert.equal(item?.address, LEADER),
		faults: [
			{
				travels: 'once',
				asks: {
					path: 'wallet/anything',
					body: '={{ JSON.stringify({ value: $json.mark }) }}',
				},
				answer: { done: true },
				takesAny: true,
			},
		],
	},
];

export const witnessWallet: NodeCases = {
	node: 'witnessWallet',
	accesses: ['token', 'basicAuth'],
	cases: [...builders, ...others],
};
