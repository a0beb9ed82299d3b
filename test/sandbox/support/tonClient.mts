import { keyPairFromSeed, type KeyPair } from '@ton/crypto';
import {
	type Address,
	beginCell,
	type Cell,
	external,
	type MessageRelaxed,
	SendMode,
	type StateInit,
	storeMessage,
} from '@ton/core';
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { request } from 'undici';
import { parseTonAccount } from '../../../nodes/core/ton/address';
import { readTransaction } from '../../../nodes/core/ton/transactions';
import { createSandbox } from '../../harness/sandbox.mts';

export type Json = Record<string, unknown>;
type Rows = Record<string, Json[]>;

interface Answer {
	readonly status: number;
	readonly json: Json;
}

interface Person {
	readonly secret: string;
	readonly v3r2: string;
	readonly v4r2: string;
	readonly v5r1: string;
}

interface Chain {
	readonly now: number;
	readonly waiting: number;
	readonly people: Readonly<Record<'giver' | 'alice' | 'bob', Person>>;
	readonly jetton: string;
	readonly collection: string;
	readonly name: string;
}

export const KINDS = ['v3r2', 'v4r2', 'v5r1'] as const;
export type Kind = (typeof KINDS)[number];

const keyPairs = new Map<string, KeyPair>();

/** Computes the keys of a secret only once, because the library takes long for it. */
function getKeyPair(secret: string): KeyPair {
	const keyPair = keyPairs.get(secret) ?? keyPairFromSeed(Buffer.from(secret, 'hex'));
	keyPairs.set(secret, keyPair);
	return keyPair;
}

/** Opens the wallets of a person on the TON chain with the library `@ton/ton`. */
export function openWallets({ secret }: Person) {
	const { publicKey, secretKey } = getKeyPair(secret);
	const wallets = {
		v3r2: WalletContractV3R2.create({ workchain: 0, publicKey }),
		v4r2: WalletContractV4.create({ workchain: 0, publicKey }),
		v5r1: WalletContractV5R1.create({ publicKey }),
	};
	return { ...wallets, publicKey, secretKey };
}

interface Transfer {
	readonly seqno: number;
	readonly messages: MessageRelaxed[];
	readonly secretKey?: Buffer;
	readonly timeout?: number;
	readonly sendMode?: SendMode;
}

/**
 * Builds and signs a transfer with the library `@ton/ton`. By default, its fees are paid separately. It never
 * expires.
 */
export function signTransfer(
	wallets: ReturnType<typeof openWallets>,
	kind: Kind,
	{
		secretKey = wallets.secretKey,
		timeout = 0xffff_ffff,
		sendMode = SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS,
		...transfer
	}: Transfer,
): Cell {
	const whole = { ...transfer, secretKey, timeout, sendMode };
	if (kind === 'v3r2') return wallets.v3r2.createTransfer(whole);
	if (kind === 'v4r2') return wallets.v4r2.createTransfer(whole);
	return wallets.v5r1.createTransfer(whole);
}

export function wrap(to: Address, body: Cell, init?: StateInit): string {
	const message = beginCell().store(storeMessage(external({ to, body, init })));
	return message.endCell().toBoc().toString('base64');
}

/** Creates a sandbox for one test file, and functions that call its TON chain. */
export function openTon() {
	const sandbox = createSandbox();
	let chain: Chain;

	beforeEach(async () => {
		chain = (await sandbox.control('GET', '/ton/chain')) as Chain;
	});

	async function send(method: 'GET' | 'POST', path: string, body?: Json, headers: Json = {}) {
		const url = `${sandbox.nodeUrl}/${sandbox.authToken}/api/v3/${path}`;
		const response = await request(url, {
			method,
			headers: {
				...(headers as Record<string, string>),
				...(body && { 'content-type': 'application/json' }),
			},
			body: body && JSON.stringify(body),
		});
		return { status: response.statusCode, json: (await response.body.json()) as Json };
	}

	const get = async (
		path: string,
		query: Record<string, string | readonly string[]> = {},
	): Promise<Answer> => {
		const pairs = Object.entries(query).flatMap(([key, value]) =>
			[value].flat().map((one) => [key, one]),
		);
		return await send('GET', `${path}?${new URLSearchParams(pairs as [string, string][])}`);
	};

	/** The rows of a list. */
	async function list(
		path: string,
		key: string,
		query: Record<string, string | readonly string[]> = {},
	) {
		const { status, json } = await get(path, query);
		if (status !== 200) throw new Error(JSON.stringify(json));
		return (json as Rows)[key]!;
	}

	/** Lists transactions in the form in which the reader of this package returns them. */
	async function transactions(account: string, query: Record<string, string> = {}) {
		const rows = await list('transactions', 'transactions', { account, ...query });
		return rows.map((row) => readTransaction(row, parseTonAccount(account)));
	}

	return {
		get,
		list,
		transactions,
		post: async (path: string, body: Json) => await send('POST', path, body),
		sendHeaders: async (path: string, headers: Json) => await send('GET', path, undefined, headers),
		control: async (path: string, body: Json) =>
			(await sandbox.control('POST', `/ton/${path}`, body)) as Json,
		configure: async (settings: Json) => await sandbox.control('PUT', '/ton/chain', settings),
		describe: async () => (await sandbox.control('GET', '/ton/chain')) as Chain,
		chain: () => chain,
		sandbox,
	};
}
