import type { IDataObject } from 'n8n-workflow';
import { request } from 'undici';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import type { RestRequest } from '../../../nodes/core/protocols/rest';
import { readMadePayments } from '../../../nodes/core/witness/madePayments';
import { createRandom } from '../../harness/random.mts';
import { createContext } from '../../unit/support/chains.mts';
import { createContracts, hexOf, LEADER, OTHER, OWNER, signed } from './support/contracts.mts';

/** These tests make payments that tronweb signs, on a chain whose contracts really run. */

const { sandbox, first, contracts } = createContracts();

beforeEach(async () => void (await sandbox.control('PUT', '/wallet', { blockTime: 3000 })));

async function post(path: string, body: unknown = {}): Promise<IDataObject> {
	const response = await request(`${sandbox.nodeUrl}/${sandbox.authToken}${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	const json = (await response.body.json()) as IDataObject;
	if (response.statusCode === 200) return json;
	throw new RequestFailure(JSON.stringify(json), { httpCode: response.statusCode });
}

const read = async (since: number) =>
	await readMadePayments(
		createContext<RestRequest>(async ({ path, body }) => await post(path, body)),
		hexOf(OWNER),
		{ since, tokens: [hexOf(contracts.coin)] },
	);

interface Paid {
	readonly to: string;
	readonly token: string | null;
	readonly value: bigint;
}

const build = async (operation: string, more: IDataObject) =>
	await first({ resource: 'transaction', operation, ownerAddress: OWNER, ...more } as never);

async function broadcast(transaction: IDataObject): Promise<string> {
	const { txid } = await post('/wallet/broadcasttransaction', signed(transaction));
	return String(txid);
}

const coins = async (toAddress: string, sun: number) =>
	await build('buildTransfer', { toAddress, amount: String(sun / 1e6) });

const tokens = async (toAddress: string, units: number) =>
	await build('buildTokenTransfer', {
		token: contracts.coin,
		toAddress,
		amount: String(units / 1e6),
	});

/** Mines the waiting transactions. Returns the time of their block in milliseconds. */
async function mine(blocks = 1): Promise<number> {
	await sandbox.control('POST', '/wallet/mine', { blocks: 1 });
	const { block_header: header } = await post('/wallet/getnowblock');
	if (blocks > 1) await sandbox.control('POST', '/wallet/mine', { blocks: blocks - 1 });
	return Number((header as { raw_data: { timestamp: number } }).raw_data.timestamp);
}

const format = ({ hash, to, token, value }: Paid & { hash: string }) =>
	[hash, to, token, value].join(' ');
const sorted = (payments: ReadonlyArray<Paid & { hash: string }>) => payments.map(format).sort();

test('of random payments, exactly those in the window are found, and none that failed', async () => {
	const random = createRandom(61);
	const made: Array<Paid & { readonly hash: string; readonly time: number }> = [];
	const start = (await mine()) + 1;
	// This transfer is built while the account still has the tokens. It is carried out later, when they are gone, and
	// fails.
	const doomed = await tokens(OTHER, 499_000_000);
	const token = hexOf(contracts.coin);
	for (let round = 0; round < 15; round++) {
		const receiver = random.oneOf([LEADER, OTHER]);
		const [to, value] = [hexOf(receiver), 1 + random.upTo(3)];
		const isToken = random.upTo(1) === 1;
		const hash = await broadcast(
			isToken ? await tokens(receiver, value) : await coins(receiver, value),
		);
		const time = await mine(1 + random.upTo(12));
		made.push({ hash, to, token: isToken ? token : null, value: BigInt(value), time });
	}
	const rest = 498_500_000;
	const hash = await broadcast(await tokens(OTHER, rest));
	made.push({ hash, to: hexOf(OTHER), token, value: BigInt(rest), time: await mine() });
	await broadcast(doomed);
	await mine();
	const moments = [start, ...made.map(({ time }, at) => time + (at % 2))];
	for (const since of moments) {
		const found = await read(since);
		expect(found.since).toBe(since);
		expect(sorted(found.payments)).toEqual(sorted(made.filter(({ time }) => time >= since)));
	}
});

test('what waits is found, and is there once when it is in a block', async () => {
	const since = (await mine()) + 1;
	const hash = await broadcast(await coins(LEADER, 7));
	const paid = { hash, to: hexOf(LEADER), token: null, value: 7n };
	expect((await read(since)).payments).toMatchObject([paid]);
	await mine();
	expect((await read(since)).payments).toMatchObject([paid]);
});
