import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Address, beginCell, toNano } from '@ton/core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Case, NodeCases, Scene } from './case.mts';
import { MARKED_HASH } from './marked.mts';
import {
	answerAsTonIndex,
	answerWithoutTransactions,
	MARKED_TON_MESSAGE,
	RICH_ACCOUNT,
} from './tonAnswers.mts';
import { tonApiRequest } from './tonApi.mts';
import { TON_PAYMENT } from './tonScene.mts';

const COIN_UNITS = 10n ** 9n;
const SUPPLY_UNITS = 4_000_000_000n;
const JETTON_UNITS = 10n ** 6n;

const HASH_PATTERN = /^[0-9a-f]{64}$/;
const JETTON_ADDRESS = `0:${'7'.repeat(64)}`;
const MARKED_ACCOUNT = '={{ "0:" + $json.mark + "0".repeat(24) }}';

const TRANSFER: INodeParameters = { amount: '1.5', comment: 'June' };

const hashText = (text: string) => createHash('sha256').update(text).digest('hex');

/** The owner, the payer and the receiver in the samples. Their addresses are the same in every sandbox. */
const OWNER_ADDRESS = 'UQAUGur5EsUnRjaGADHOuNpsaTgto82lGpzbfyLm11ymwHON';
const PAYER_ADDRESS = 'UQC9rVYftQutjD6pxHKHfrISz1EoyQLeF95ZNP1ovFGRlMRo';
const RECEIVER_ADDRESS = 'UQAAwP1hj5VM0wiUgmTH9m6y61Nbfinzn-_JYrozVourIxwv';

/** The values of a payment that depend on its time. Samples show these constants. */
export const PAID_AT = { timestamp: '2026-01-15T10:00:03.000Z', lt: '120000000' };

/** Sends a transfer of the payer, and returns the hash of its message. */
async function sendTransfer(scene: Scene, given: INodeParameters): Promise<string> {
	const signedMessage = await signPayment(scene, given);
	const sending = { resource: 'transaction', operation: 'send', signedMessage };
	const { messageHash } = await scene.first('ton', sending);
	return String(messageHash);
}

async function signPayment({ first, ton }: Scene, given: INodeParameters): Promise<string> {
	const preparing = { resource: 'transaction', operation: 'prepare', from: ton.payer, ...given };
	const { transfer } = await first('ton', preparing);
	return ton.sign(transfer as IDataObject);
}

/** Builds a transfer that fails: the jetton contract refuses comments, so the coins come back. */
const failingTransfer = ({ ton }: Scene) => ({ to: ton.jetton, amount: '0.1', comment: 'hello' });

const reading: readonly Case[] = [
	{
		resource: 'account',
		operation: 'get',
		parameters: ({ ton }) => ({ address: ton.owner }),
		check: ([item], { ton }) => {
			const { address, status, walletType, seqno } = item ?? {};
			const expected = [ton.owner, 'active', 'v4r2', 1];
			assert.deepEqual([address, status, walletType, seqno], expected);
			assert.ok(Number(item?.balance) > 998);
		},
		shown: {
			given: { address: OWNER_ADDRESS },
			outcome: { balance: '1000.746511802', value: '1000746511802', amount: '1000.746511802' },
		},
	},
	{
		resource: 'account',
		operation: 'getBalance',
		parameters: ({ ton }) => ({ address: ton.owner }),
		check: ([item], { ton }) => {
			const { address, symbol, decimals, value, amount, balance } = item ?? {};
			assert.deepEqual([address, symbol, decimals], [ton.owner, 'TON', 9]);
			assert.equal(toNano(String(amount)), BigInt(String(value)));
			assert.equal(balance, amount);
		},
		shown: {
			given: { address: OWNER_ADDRESS },
			outcome: { value: '1000746511802', amount: '1000.746511802', balance: '1000.746511802' },
		},
	},
	{
		resource: 'contract',
		operation: 'call',
		noSchema: 'what a contract returns',
		parameters: ({ ton }) => ({
			contract: ton.jetton,
			method: 'get_wallet_address',
			arguments: JSON.stringify([{ address: ton.owner }]),
		}),
		check: async ([item], { first, ton }) => {
			const { jetton, owner } = ton;
			const reading = { resource: 'jetton', operation: 'getBalance', jetton, owner };
			const { wallet } = await first('ton', reading);
			const address = beginCell().storeAddress(Address.parse(String(wallet)));
			const cell = address.endCell().toBoc().toString('base64');
			assert.deepEqual(item, { result: wallet, cell });
		},
		faults: [
			{
				travels: 'rest',
				asks: { contract: MARKED_ACCOUNT, method: 'seqno' },
				answer: { gas_used: 1, exit_code: 0, stack: [{ type: 'num', value: '0x6' }] },
			},
		],
	},
	{
		resource: 'jetton',
		operation: 'get',
		parameters: ({ ton }) => ({ jetton: ton.jetton }),
		check: (items, { ton }) =>
			assert.deepEqual(items, [
				{
					jetton: ton.jetton,
					name: 'Sandbox Dollar',
					symbol: 'SBD',
					decimals: 6,
					totalSupply: String(SUPPLY_UNITS),
					supply: String(SUPPLY_UNITS / JETTON_UNITS),
					mintable: true,
				},
			]),
	},
	{
		resource: 'jetton',
		operation: 'getBalance',
		parameters: ({ ton }) => ({ jetton: ton.jetton, owner: ton.owner }),
		check: ([item], scene) => assertBalance(item, scene),
		faults: [
			{
				about: 'of one jetton',
				travels: 'rest',
				asks: { jetton: JETTON_ADDRESS, owner: MARKED_ACCOUNT },
				answer: {
					jetton_masters: [
						{ address: JETTON_ADDRESS, total_supply: '1', mintable: true, jetton_content: {} },
					],
					jetton_wallets: [],
				},
			},
		],
	},
	{
		resource: 'jetton',
		operation: 'getBalances',
		parameters: ({ ton }) => ({ owner: ton.owner }),
		check: (items, scene) => {
			assert.equal(items.length, 1);
			assertBalance(items[0], scene);
		},
	},
	{
		resource: 'jetton',
		operation: 'getTransfers',
		parameters: ({ ton }) => ({ owner: ton.owner, limit: 1 }),
		check: ([item], { ton }) => {
			const { direction, jetton, to, amount, comment } = item ?? {};
			const { amount: paid, comment: words } = TON_PAYMENT;
			assert.deepEqual([direction, jetton, to], ['in', ton.jetton, ton.owner]);
			assert.deepEqual([amount, comment], [paid, words]);
		},
		shown: {
			given: { owner: OWNER_ADDRESS, limit: 1 },
			outcome: {
				...PAID_AT,
				key: `${hashText('message')}:jettons`,
				transactionHash: hashText('jettons'),
			},
		},
	},
	{
		resource: 'name',
		operation: 'resolve',
		parameters: ({ ton }) => ({ name: ton.name }),
		check: (items, { ton }) => {
			const { name, owner } = ton;
			assert.deepEqual(items, [{ name, address: owner, owner }]);
		},
		faults: [
			{ travels: 'rest', asks: { name: '={{ $json.mark + ".ton" }}' }, answer: { records: [] } },
		],
	},
	{
		resource: 'nft',
		operation: 'get',
		parameters: ({ ton }) => ({ address: ton.nft, options: { fetchMetadata: false } }),
		check: (items, { ton }) => {
			const { nft: address, collection, owner } = ton;
			const named = { name: 'Sandbox Piece', metadata: null, metadataError: null };
			assert.deepEqual(items, [{ address, collection, index: '0', owner, ...named }]);
		},
		alsoForSchema: ({ ton }) => [{ address: ton.nameNft }],
	},
	{
		resource: 'nft',
		operation: 'getAll',
		parameters: ({ ton }) => ({ owner: ton.owner, options: { fetchMetadata: false } }),
		check: (items, { ton }) => {
			const addresses = items.map(({ address }) => String(address));
			assert.deepEqual(addresses.sort(), [ton.nft, ton.nameNft].sort());
		},
	},
	{
		resource: 'transaction',
		operation: 'getAll',
		parameters: ({ ton }) => ({ address: ton.owner, limit: 1 }),
		check: ([item]) => {
			const { amount, comment } = item?.in as IDataObject;
			assert.deepEqual({ amount, comment }, TON_PAYMENT);
			assert.equal(item?.success, true);
		},
		alsoForSchema: ({ ton }) => [{ address: ton.payer, returnAll: true }],
		shown: {
			given: { address: OWNER_ADDRESS, limit: 1 },
			outcome: { ...PAID_AT, hash: hashText('payment'), fee: '0.000005' },
		},
	},
];

function assertBalance(item: IDataObject | undefined, { ton }: Scene): void {
	const { jetton, owner, symbol, balance, amount } = item ?? {};
	assert.deepEqual([jetton, owner, symbol], [ton.jetton, ton.owner, 'SBD']);
	assert.ok(BigInt(String(balance)) > 1000n * JETTON_UNITS);
	assert.equal(Number(amount), Number(balance) / Number(JETTON_UNITS));
}

const SENTENCE = `Send 1.5 TON to ${RECEIVER_ADDRESS} with the comment "June"`;

/**
 * The prepared transfer as the sample shows it. The real fee depends on the rent that is due, and the real expiry on
 * the clock.
 */
const PREPARED = {
	transfer: {
		from: PAYER_ADDRESS,
		walletType: 'v5r1',
		seqno: 1,
		validUntil: 1_768_471_500,
		sendMode: 3,
		messages: [
			{
				to: RECEIVER_ADDRESS,
				amount: '1500000000',
				bounce: false,
				body: 'te6cckEBAQEACgAAEAAAAABKdW5lJ5ZwEA==',
				stateInit: null,
				says: `${SENTENCE}.`,
			},
		],
	},
	fee: '0.002975205',
	maxCost: '1.502975205',
	summary: `${SENTENCE}, for a fee of about 0.002975205 TON, at a cost of at most 1.502975205 TON, seqno 1, valid until 2026-01-15T10:05:00.000Z.`,
};

const paying: readonly Case[] = [
	{
		resource: 'transaction',
		operation: 'prepare',
		parameters: ({ ton }) => ({ from: ton.payer, to: ton.receiver, ...TRANSFER }),
		check: ([item], { ton }) => {
			const { from, messages } = item?.transfer as { from: string; messages: IDataObject[] };
			assert.equal(from, ton.payer);
			const [{ to, amount } = {}] = messages;
			assert.deepEqual([to, amount], [ton.receiver, String((3n * COIN_UNITS) / 2n)]);
			assert.ok(Number(item?.maxCost) > 1.5);
			assert.match(String(item?.summary), /^Send 1\.5 TON to UQ\S+ with the comment .June., for/);
		},
		shown: {
			given: { from: PAYER_ADDRESS, to: RECEIVER_ADDRESS, ...TRANSFER },
			outcome: PREPARED,
		},
		faults: [
			{
				about: 'an NFT',
				travels: 'rest',
				asks: {
					from: RICH_ACCOUNT,
					kind: 'nftTransfer',
					address: MARKED_ACCOUNT,
					to: RECEIVER_ADDRESS,
				},
				answerTo: answerAsTonIndex,
			},
			{
				about: 'a payment, whose receivers are asked for together',
				travels: 'rest',
				asks: { from: RICH_ACCOUNT, to: MARKED_ACCOUNT, amount: '1' },
				answerTo: answerAsTonIndex,
				sharesRequests: true,
			},
		],
	},
	{
		resource: 'transaction',
		operation: 'send',
		parameters: async (scene) => ({
			signedMessage: await signPayment(scene, { to: scene.ton.receiver, ...TRANSFER }),
		}),
		check: async ([item], { first }) => {
			assert.match(String(item?.messageHash), HASH_PATTERN);
			assert.equal(item?.wasKnown, false);
			const waiting = {
				resource: 'transaction',
				operation: 'wait',
				messageHash: item?.messageHash,
			};
			const { success } = await first('ton', waiting as INodeParameters);
			assert.equal(success, true);
		},
		shown: {
			given: { signedMessage: '{{ $json.signedMessage }}' },
			outcome: {
				result: hashText('message'),
				messageHash: hashText('message'),
				wasKnown: false,
			},
		},
		faults: [
			{
				travels: 'onceSigned',
				asks: { signedMessage: MARKED_TON_MESSAGE },
				answerTo: answerWithoutTransactions,
			},
		],
	},
	{
		resource: 'transaction',
		operation: 'wait',
		parameters: async (scene) => ({
			messageHash: await sendTransfer(scene, { to: scene.ton.receiver, ...TRANSFER }),
		}),
		check: ([item]) => {
			assert.deepEqual([item?.success, item?.reason], [true, null]);
			assert.match(String(item?.transactionHash), HASH_PATTERN);
		},
		alsoForSchema: (scene) => [failThenWait(scene)],
		shown: {
			given: { messageHash: '{{ $json.messageHash }}' },
			outcome: {
				...PAID_AT,
				messageHash: hashText('message'),
				transactionHash: hashText('transfer'),
				fee: '0.002975205',
			},
		},
		faults: [
			{
				about: 'without waiting',
				travels: 'rest',
				asks: { messageHash: MARKED_HASH, waitFor: 0 },
				answerTo: answerAsTonIndex,
			},
		],
	},
];

async function failThenWait(scene: Scene): Promise<INodeParameters> {
	return { messageHash: await sendTransfer(scene, failingTransfer(scene)) };
}

export const ton: NodeCases = {
	node: 'ton',
	accesses: ['token', 'basicAuth'],
	cases: [...reading, tonApiRequest, ...paying],
};
