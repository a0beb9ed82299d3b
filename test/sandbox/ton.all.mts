import { Address, beginCell, internal, toNano } from '@ton/core';
import { createPrivateKey, sign } from 'node:crypto';
import { parseTonAccount } from '../../nodes/core/ton/address';
import { readAccountState } from '../../nodes/core/ton/accounts';
import { parseBag } from '../../nodes/core/ton/bag/parse';
import { serializeBag } from '../../nodes/core/ton/bag/serialize';
import { buildExternalMessage, computeNormalizedHash } from '../../nodes/core/ton/messages';
import { parseArguments, readMethodResult } from '../../nodes/core/ton/stack';
import { readComment } from '../../nodes/core/ton/bodies';
import { hasArrived, hasSucceeded } from '../../nodes/core/ton/transactions';
import { buildSignedBody, buildUnsignedBody } from '../../nodes/core/ton/transfer';
import { buildWalletState, findWallet } from '../../nodes/core/ton/wallets';
import {
	type Kind,
	KINDS,
	openTon,
	openWallets,
	signTransfer,
	wrap,
} from './support/tonClient.mts';

const ton = openTon();
const NEVER_SEEN = `0:${'ab'.repeat(32)}`;
const FOREVER = 0xffff_ffff;

const alice = () => openWallets(ton.chain().people.alice);
const bob = () => openWallets(ton.chain().people.bob);

interface Order {
	readonly kind: Kind;
	readonly seqno: number;
	readonly secretKey?: Buffer;
	readonly timeout?: number;
}

async function sendForeign(wallets: ReturnType<typeof alice>, order: Order, isNew = false) {
	const { address, init } = wallets[order.kind];
	const messages = [
		internal({
			to: Address.parse(NEVER_SEEN),
			value: toNano('0.5'),
			bounce: false,
			body: 'order 7',
		}),
	];
	const { kind, ...transfer } = order;
	const body = signTransfer(wallets, kind, { ...transfer, messages });
	const boc = wrap(address, body, isNew ? init : undefined);
	return { boc, answer: await ton.post('message', { boc }) };
}

describe.each(KINDS)('wallet %s of foreign code', (kind) => {
	test('is deployed by its first transfer, which our readers read', async () => {
		const wallets = bob();
		const address = wallets[kind].address.toRawString();
		const { answer } = await sendForeign(wallets, { kind, seqno: 0 }, true);
		expect(answer).toMatchObject({ status: 200, json: { message_hash: expect.any(String) } });

		const [sent, funded] = await ton.transactions(address);
		expect(sent).toMatchObject({ isFinal: true, outcome: { exitCode: 0, failure: null } });
		expect(sent?.previousHash).toBe(funded?.hash);
		const [received] = await ton.transactions(NEVER_SEEN);
		expect(received && [hasArrived(received), hasSucceeded(received)]).toEqual([true, true]);
		expect(received?.incoming).toMatchObject({
			amount: toNano('0.5'),
			hash: sent?.outgoing[0]?.hash,
		});
		expect(readComment(received?.incoming?.body ?? null).comment).toBe('order 7');

		const information = await ton.get('walletInformation', { address });
		expect(information.json).toMatchObject({ status: 'active', seqno: 1 });
		expect(information.json.wallet_type).toBe(`wallet ${kind.slice(0, 2)} ${kind.slice(2)}`);
		const [state] = await ton.list('accountStates', 'accounts', { address });
		const [wallet] = await ton.list('walletStates', 'wallets', { address });
		const id = information.json.wallet_id;
		const read = readAccountState(state);
		expect(read).toMatchObject({ walletType: kind, seqno: 1, walletId: id, status: 'active' });
		const { balance } = information.json;
		expect(String(read.balance)).toBe(balance);
		expect(wallet).toMatchObject({ seqno: 1, wallet_id: id, status: 'active', balance });
	});

	test.each([
		['a replay', { seqno: 0 }, { v3r2: 33, v4r2: 33, v5r1: 133 }],
		['a foreign signature', { seqno: 1, foreign: true }, { v3r2: 35, v4r2: 35, v5r1: 135 }],
		[
			'a message that is too late',
			{ seqno: 1, timeout: 1_700_000_000 },
			{ v3r2: 35, v4r2: 36, v5r1: 136 },
		],
	])('refuses %s in the machine itself, and nothing is left of it', async (_what, order, codes) => {
		const { foreign = false, ...asked } = { foreign: false, ...order };
		const { answer } = await sendForeign(alice(), {
			kind,
			...asked,
			...(foreign && { secretKey: bob().secretKey }),
		});
		expect(answer.status).toBe(500);
		expect(answer.json.error).toMatch(new RegExp(`not accepted.*exitcode=${codes[kind]}$`, 's'));
		expect(await ton.transactions(NEVER_SEEN)).toEqual([]);
	});

	test('refuses a first transfer without the state of the wallet before any code runs', async () => {
		const { answer } = await sendForeign(bob(), { kind, seqno: 0 });
		expect(answer.status).toBe(500);
		expect(answer.json.error).toMatch(/not accepted.*rejected before smart-contract execution$/s);
	});

	test('carries out one message once, also when it comes twice at once', async () => {
		const order = { kind, seqno: 1 };
		const sent = await Promise.all([sendForeign(alice(), order), sendForeign(alice(), order)]);
		expect(sent.map(({ answer }) => answer.status).sort()).toEqual([200, 500]);
		expect(await ton.transactions(NEVER_SEEN)).toHaveLength(1);
	});

	test.each([true, false])(
		'carries out what our own code builds and signs, deployed: %p',
		async (isDeployed) => {
			const wallets = isDeployed ? alice() : bob();
			const from = parseTonAccount(wallets[kind].address.toRawString());
			const wallet = findWallet(wallets.publicKey, { account: from, type: null, walletId: null });
			if (!wallet) throw new Error('our code does not know the wallet');
			const messages = [
				{ to: parseTonAccount(NEVER_SEEN), amount: 7n, bounce: false, body: null, stateInit: null },
			];
			const transfer = { seqno: isDeployed ? 1 : 0, validUntil: FOREVER, sendMode: 3, messages };
			const unsigned = buildUnsignedBody(wallet, transfer);
			const body = buildSignedBody(kind, unsigned, signHash(unsigned.hash, wallets.secretKey));
			const message = buildExternalMessage(
				from,
				body,
				isDeployed ? null : buildWalletState(wallet),
			);
			const boc = serializeBag(message).toString('base64');
			const { status, json } = await ton.post('message', { boc });
			expect(status).toBe(200);
			expect(json.message_hash).toBe(message.hash.toString('base64'));
			const normalized = computeNormalizedHash({ to: from, body });
			expect(json.message_hash_norm).toBe(normalized.toString('base64'));
			const [received] = await ton.transactions(NEVER_SEEN);
			expect(received?.incoming?.amount).toBe(7n);
			for (const msg_hash of [
				message.hash.toString('hex'),
				normalized.toString('base64url') + '=',
			]) {
				const found = await ton.list('transactionsByMessage', 'transactions', { msg_hash });
				expect(found).toHaveLength(1);
				expect(found[0]).toMatchObject({
					orig_status: isDeployed ? 'active' : 'uninit',
					end_status: 'active',
				});
			}
		},
	);
});

function signHash(hash: Uint8Array, secretKey: Buffer): Buffer {
	const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');
	const der = Buffer.concat([PKCS8_HEADER, secretKey.subarray(0, 32)]);
	return sign(null, hash, createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
}

test('what is sent where no code is comes back, when it may', async () => {
	const { giver } = ton.chain().people;
	await ton.control('pay', { to: NEVER_SEEN, amount: '0.3', bounce: true });
	const [refused] = await ton.transactions(NEVER_SEEN);
	expect(refused?.outcome).toMatchObject({ hasBounced: true, failure: { phase: 'bounce' } });
	const [back] = await ton.transactions(giver.v3r2);
	expect(back?.incoming).toMatchObject({ isBounced: true });
	const [sender, receiver] = await ton.list('transactionsByMessage', 'transactions', {
		msg_hash: refused!.incoming!.hash,
		sort: 'asc',
	});
	expect([sender?.hash, receiver?.account]).toEqual([expect.any(String), NEVER_SEEN.toUpperCase()]);
});

describe('pages', () => {
	const hashesOf = async (query: Record<string, string>) =>
		(await ton.list('transactions', 'transactions', { account: NEVER_SEEN, ...query })).map(
			({ hash }) => hash,
		);

	async function receive(count: number): Promise<void> {
		for (let index = 0; index < count; index += 1) {
			await ton.control('pay', { to: NEVER_SEEN, amount: '0.01', comment: String(index) });
		}
	}

	test('are in order of the logical time, both ways, and filtered inclusively', async () => {
		await receive(5);
		const all = await ton.list('transactions', 'transactions', {
			account: NEVER_SEEN,
			sort: 'asc',
		});
		const ascending = all.map(({ hash }) => hash);
		expect(await hashesOf({})).toEqual(ascending.toReversed());
		expect(await hashesOf({ sort: 'asc', limit: '2', offset: '1' })).toEqual(ascending.slice(1, 3));
		const [, second, , fourth] = all.map(({ lt }) => String(lt));
		expect(await hashesOf({ start_lt: second!, end_lt: fourth!, sort: 'asc' })).toEqual(
			ascending.slice(1, 4),
		);
		expect(await hashesOf({ lt: second! })).toEqual([ascending[1]]);
		expect(await hashesOf({ limit: '-3' })).toHaveLength(1);
	});

	test('are found by time, which the control moves', async () => {
		await receive(1);
		await ton.control('time', { seconds: 1000 });
		await receive(1);
		const [first, second] = await ton.transactions(NEVER_SEEN, { sort: 'asc' });
		expect(second!.time - first!.time).toBeGreaterThanOrEqual(1000);
		const start_utime = String(second!.time);
		expect(await hashesOf({ start_utime })).toHaveLength(1);
		expect(await hashesOf({ end_utime: String(second!.time - 1) })).toHaveLength(1);
	});

	test('shift when payments arrive between them: rows come twice, and none is lost', async () => {
		await receive(4);
		await ton.control('arrivals', { to: NEVER_SEEN, amount: '0.01', times: 1 });
		const first = await hashesOf({ limit: '2' });
		const second = await hashesOf({ limit: '3', offset: '2' });
		expect(second).toContain(first[1]);
		expect(new Set([...first, ...second]).size).toBe(4);
	});

	test('the index lags behind the states of accounts', async () => {
		await receive(2);
		await ton.configure({ index: { transactions: 1 } });
		expect(await hashesOf({})).toHaveLength(1);
		const { json } = await ton.get('addressInformation', { address: NEVER_SEEN });
		await ton.configure({ accounts: { transactions: 1 } });
		const late = await ton.get('addressInformation', { address: NEVER_SEEN });
		expect(await hashesOf({})).toHaveLength(2);
		expect(BigInt(String(json.balance))).toBeGreaterThan(BigInt(String(late.json.balance)));
	});
});

test('a held message is taken again until it is carried out, and only one comes of it', async () => {
	await ton.configure({ hold: true });
	const { boc, answer } = await sendForeign(alice(), { kind: 'v4r2', seqno: 1 });
	expect([answer.status, (await ton.post('message', { boc })).status]).toEqual([200, 200]);
	expect((await ton.describe()).waiting).toBe(1);
	expect((await sendForeign(alice(), { kind: 'v4r2', seqno: 5 })).answer.status).toBe(500);
	expect(await ton.control('step', { messages: 1 })).toEqual({ waiting: 1 });
	expect((await ton.post('message', { boc })).status).toBe(500);
	expect(await ton.transactions(NEVER_SEEN)).toEqual([]);
	await ton.control('step', { messages: 5 });
	expect(await ton.transactions(NEVER_SEEN)).toHaveLength(1);
});

describe('accounts that were never seen', () => {
	test('are uninit alone, and missing in lists', async () => {
		const { json } = await ton.get('walletInformation', { address: NEVER_SEEN });
		expect(json).toEqual({
			balance: '0',
			status: 'uninit',
			last_transaction_lt: '0',
			last_transaction_hash: `${'A'.repeat(43)}=`,
		});
		const { alice: known } = ton.chain().people;
		const address = [NEVER_SEEN, known.v5r1, known.v3r2];
		const rows = await ton.list('accountStates', 'accounts', { address, include_boc: 'false' });
		expect(rows.map((row) => row.address)).toEqual(
			[known.v3r2, known.v5r1].map((raw) => raw.toUpperCase()).sort(),
		);
		expect(Object.keys(rows[0]!)).not.toContain('code_boc');
	});
});

describe('get-methods', () => {
	const run = async (body: object) => (await ton.post('runGetMethod', { stack: [], ...body })).json;

	test('give what the contract computes, as our reader reads it', async () => {
		const { alice: known } = ton.chain().people;
		expect(readMethodResult(await run({ address: known.v4r2, method: 'seqno' })).result).toBe(1);
		const jetton = ton.chain().jetton;
		const stack = parseArguments([{ address: known.v4r2 }]);
		const wallet = await run({ address: jetton, method: 'get_wallet_address', stack });
		const found = await ton.list('jetton/wallets', 'jetton_wallets', {
			owner_address: known.v4r2,
			jetton_address: jetton,
		});
		expect(
			Address.parse(String(readMethodResult(wallet).result))
				.toRawString()
				.toUpperCase(),
		).toBe(found[0]?.address);
	});

	test('give an exit code of failure with status 200', async () => {
		const { alice: known, bob: newcomer } = ton.chain().people;
		expect(await run({ address: known.v4r2, method: 'no_such' })).toMatchObject({ exit_code: 11 });
		expect(await run({ address: newcomer.v4r2, method: 'seqno' })).toMatchObject({
			exit_code: -13,
		});
	});
});

describe('refusals, in the form of the service', () => {
	test.each([
		['walletInformation', {}, 401],
		['walletInformation', { address: 'nobody' }, 422],
		['accountStates', {}, 401],
		['transactions', { limit: '1001' }, 422],
		['transactions', { sort: 'up' }, 422],
		['transactions', { start_lt: 'x' }, 422],
		['transactions', { hash: 'xyz' }, 422],
		['transactionsByMessage', {}, 422],
		['dns/records', { domain: 'a.ton', wallet: NEVER_SEEN }, 422],
		['dns/records', { domain: 'a.ton', limit: '1001' }, 422],
		['traces', { account: NEVER_SEEN, tx_hash: 'ab'.repeat(32) }, 422],
		['nft/items', { index: '1' }, 422],
		['jetton/wallets', { jetton_address: [NEVER_SEEN, NEVER_SEEN] }, 422],
	])('%s %j', async (path, query, status) => {
		const answer = await ton.get(path, query);
		expect([answer.status, Object.keys(answer.json)]).toEqual([status, ['error']]);
	});

	test.each([
		['message', {}, 401],
		['message', { boc: 'AAAA' }, 500],
		['message', { boc: beginCell().endCell().toBoc().toString('base64') }, 500],
		['runGetMethod', { address: NEVER_SEEN }, 401],
		['runGetMethod', { address: 'x', method: 'seqno' }, 422],
		[
			'runGetMethod',
			{ address: NEVER_SEEN, method: 'seqno', stack: [{ type: 'tuple', value: '' }] },
			500,
		],
	])('POST %s %j', async (path, body, status) => {
		const answer = await ton.post(path, body);
		expect([answer.status, Object.keys(answer.json)]).toEqual([status, ['error']]);
	});

	test('a contract that is no wallet is a conflict', async () => {
		const { status, json } = await ton.get('walletInformation', { address: ton.chain().jetton });
		expect([status, json]).toEqual([409, { error: 'not a wallet' }]);
	});

	test('a message to an account without code is refused before any is run', async () => {
		const boc = wrap(Address.parse(NEVER_SEEN), beginCell().endCell());
		const { status, json } = await ton.post('message', { boc });
		expect([status, json.error]).toEqual([500, expect.stringMatching(/not accepted/)]);
	});
});

test('the code that a bag holds is the one that we recognize', async () => {
	const { json } = await ton.get('addressInformation', { address: ton.chain().people.alice.v3r2 });
	expect(parseBag(json.code).hash.toString('base64')).toBe(
		'hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=',
	);
});
