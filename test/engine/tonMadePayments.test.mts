import { Address, beginCell, comment, internal, toNano, type MessageRelaxed } from '@ton/core';
import { RequestFailure } from '../../nodes/core/errors/requestFailure';
import type { RestRequest } from '../../nodes/core/protocols/rest';
import { readMadePayments } from '../../nodes/core/ton/madePayments';
import { createRandom } from '../harness/random.mts';
import {
	openTon,
	openWallets,
	signTransfer,
	wrap,
	type Json,
} from '../sandbox/support/tonClient.mts';
import { createContext } from '../unit/support/chains.mts';
import { createShared } from '../../nodes/core/net/pacing/shared';

/** These tests make payments that the library `@ton/ton` signs, on a chain with the real virtual machine of TON. */

const ton = openTon();
const SHOPS = ['c1', 'c2'].map((byte) => `0:${byte.repeat(32)}`);
/** An account without code, so that coins that are sent with bounce come back. */
const NOBODY = `0:${'ee'.repeat(32)}`;
const alice = () => openWallets(ton.chain().people.alice);
const account = () => ton.chain().people.alice.v4r2;

async function call({ path, body }: RestRequest): Promise<unknown> {
	const [name = '', query] = path.replace('/api/v3/', '').split('?');
	const pairs = Object.fromEntries(new URLSearchParams(query));
	const answer = await (body ? ton.post(name, body as Json) : ton.get(name, pairs));
	if (answer.status === 200) return answer.json;
	throw new RequestFailure(JSON.stringify(answer.json), { httpCode: answer.status });
}

const read = async (since: number, change = call) =>
	await readMadePayments(createContext(change, { shared: createShared() }), account(), {
		since,
		tokens: [ton.chain().jetton],
	});

/** Moves the time past the payments of the sandbox's initial state, and returns it in milliseconds. */
async function begin(): Promise<number> {
	await ton.control('time', { seconds: 2 });
	return (ton.chain().now + 1) * 1000;
}

interface Paid {
	readonly to: string;
	readonly token: string | null;
	readonly value: bigint;
	readonly comment: string | null;
}

interface Sending {
	readonly message: MessageRelaxed;
	/** The expected payment, or undefined if the transfer fails. */
	readonly paid?: Paid;
}

const payCoins = (to: string, value: bigint, words: string | null): Sending => ({
	message: internal({
		to: Address.parse(to),
		value,
		bounce: false,
		...(words !== null && { body: comment(words) }),
	}),
	paid: { to, token: null, value, comment: words === '' ? null : words },
});

const bounceCoins = (value: bigint): Sending => ({
	message: internal({ to: Address.parse(NOBODY), value, bounce: true }),
});

/** Builds a jetton transfer. The coins that are sent along for fees are no payment. */
async function askJettons(to: string, value: bigint, words: string | null): Promise<Sending> {
	const [own] = await ton.list('jetton/wallets', 'jetton_wallets', {
		owner_address: account(),
		jetton_address: ton.chain().jetton,
	});
	const body = beginCell()
		.storeUint(0x0f8a7ea5, 32)
		.storeUint(nextId++, 64)
		.storeCoins(value)
		.storeAddress(Address.parse(to))
		.storeAddress(Address.parse(account()))
		.storeMaybeRef(null)
		.storeCoins(1n)
		.storeMaybeRef(words === null ? null : comment(words));
	return {
		message: internal({
			to: Address.parse(String(own?.address)),
			value: toNano('0.06'),
			body: body.endCell(),
		}),
		paid: { to, token: ton.chain().jetton, value, comment: words },
	};
}
let nextId = 1;

/** Sends up to four messages in one transfer, and returns the wallet's transaction. */
async function send(messages: readonly Sending[]) {
	const { json } = await ton.get('walletInformation', { address: account() });
	const wallets = alice();
	const transfer = signTransfer(wallets, 'v4r2', {
		seqno: Number(json.seqno ?? 0),
		messages: messages.map(({ message }) => message),
	});
	const { status } = await ton.post('message', { boc: wrap(wallets.v4r2.address, transfer) });
	expect(status).toBe(200);
	const all = await ton.transactions(account());
	const own = all.find(({ incoming }) => incoming && incoming.from === null);
	return { hash: String(own?.hash), time: Number(own?.time) * 1000 };
}

const format = ({ hash, to, token, value, comment: words }: Paid & { hash: string }) =>
	[hash, to, token, value, words].join(' ');
const sorted = (payments: ReadonlyArray<Paid & { hash: string }>) => payments.map(format).sort();

test('of random payments, exactly those in the window are found, and none that came back', async () => {
	const random = createRandom(61);
	const start = await begin();
	const made: Array<Paid & { readonly hash: string; readonly time: number }> = [];
	const times: number[] = [];
	for (let round = 0; round < 9; round++) {
		const messages: Sending[] = [];
		for (let left = 1 + random.upTo(2); left > 0; left--) {
			const to = random.oneOf(SHOPS);
			const words = random.oneOf([null, '', 'order 7', 'order 8 €']);
			const kind = random.upTo(5);
			if (kind <= 2) messages.push(payCoins(to, toNano('0.01') + BigInt(random.upTo(2)), words));
			else if (kind === 3) messages.push(bounceCoins(toNano('0.02')));
			else if (kind === 4)
				messages.push(await askJettons(to, BigInt(1 + random.upTo(2)), words || null));
			else messages.push({ message: (await askJettons(to, 10n ** 15n, null)).message });
		}
		const { hash, time } = await send(messages);
		times.push(time);
		for (const { paid } of messages) if (paid) made.push({ ...paid, hash, time });
		await ton.control('time', { seconds: 1 + random.upTo(60) });
	}
	for (const since of [start, ...times.map((time, at) => time + (at % 2) * 500)]) {
		const found = await read(since);
		expect(found.since).toBe(since);
		expect(sorted(found.payments)).toEqual(sorted(made.filter(({ time }) => time >= since)));
		for (const one of found.payments)
			expect(made.find(({ hash }) => hash === one.hash)?.time).toBe(one.time);
	}
});

test('jettons that their receiver did not take come back, and were not paid', async () => {
	const [shop = ''] = SHOPS;
	const start = await begin();
	const first = await send([await askJettons(shop, 5n, null)]);
	const [wallet] = await ton.list('jetton/wallets', 'jetton_wallets', { owner_address: shop });
	await ton.control('fail', { address: String(wallet?.address), exitCode: 77 });
	await ton.control('time', { seconds: 60 });
	await send([await askJettons(shop, 5n, null)]);
	const { payments } = await read(start);
	expect(payments.map(({ hash }) => hash)).toEqual([first.hash]);
});

test('what is under way was paid', async () => {
	const start = await begin();
	await ton.configure({ hold: true });
	const sending = [payCoins(SHOPS[0]!, 5n, 'one'), await askJettons(SHOPS[1]!, 6n, 'two')];
	const { json } = await ton.get('walletInformation', { address: account() });
	const wallets = alice();
	const messages = sending.map(({ message }) => message);
	const transfer = signTransfer(wallets, 'v4r2', { seqno: Number(json.seqno ?? 0), messages });
	await ton.post('message', { boc: wrap(wallets.v4r2.address, transfer) });
	expect((await read(start)).payments).toEqual([]);
	await ton.control('step', { messages: 1 });
	const { payments } = await read(start);
	expect(payments).toMatchObject(sending.map(({ paid }) => paid));
});
