import { NO_FACTS } from '../chain/tokens';
import { Answer } from '../chain/answer';
import type { RestReader } from '../chain/reader';
import { RequestFailure } from '../errors/requestFailure';
import { Loader, readOnce, sharedKey } from '../net/pacing/shared';
import { invalidResponseError } from '../net/responses/response';
import { catching, InvalidValue } from '../values/parse';
import { formatTonAddresses, parseTonAccount, type TonAccount } from './address';
import { parseTruth, parseUnits } from './answer';
import type { JettonFacts } from './jettonTransfers';
import {
	MAX_ADDRESSES_PER_REQUEST,
	parsePage,
	postApi,
	readApi,
	readContractPages,
} from './reader';
import { MethodFailure, parseArguments, readMethodResult } from './stack';
import { createTokenInfoFinder, getText, getValue, type FindTokenInfo } from './tokenInfo';
import { isSameAccount } from './transactions';
import { raise } from '../errors/raise';

/**
 * The facts that a jetton states about itself. Other jettons can state the same facts, so only the master's address
 * identifies a jetton.
 */
export interface Jetton extends JettonFacts {
	readonly name: string | null;
	readonly totalSupply: bigint;
	readonly mintable: boolean;
}

const JETTON_LOADER = sharedKey(
	'ton.jettonLoader',
	() => new Loader<Jetton>(MAX_ADDRESSES_PER_REQUEST),
);
const JETTON_READS = sharedKey(
	'ton.jettonReads',
	() => new Map<string, Promise<Jetton | undefined>>(),
);

/**
 * Finds a jetton; undefined if there is none. A run reads each jetton once, and again only after a failure. Several
 * jettons share one request.
 */
async function findJetton(reader: RestReader, master: TonAccount): Promise<Jetton | undefined> {
	const { raw } = formatTonAddresses(master);
	const load = async () => await loadJetton(reader, raw);
	return await readOnce(reader.shared(JETTON_READS), raw, load);
}

async function loadJetton(reader: RestReader, raw: string): Promise<Jetton | undefined> {
	const loader = reader.shared(JETTON_LOADER);
	return await loader.get(raw, async (addresses) => await readMasters(reader, addresses));
}

/** Finds the facts that people need about a jetton. All facts are null if the service does not know its master. */
export async function findJettonFacts(
	reader: RestReader,
	master: TonAccount,
): Promise<JettonFacts> {
	return (await findJetton(reader, master)) ?? { master, ...NO_FACTS };
}

/** The keys are raw addresses. */
async function readMasters(reader: RestReader, addresses: readonly string[]) {
	const query = { address: addresses, limit: addresses.length };
	const answer = await readApi(reader, 'jetton/masters', query);
	const { rows, metadata } = parsePage('jettons', 'jetton_masters', answer);
	const findInfo = createTokenInfoFinder(metadata, 'jetton_masters');
	const jettons = rows.map((row) => readJettonRow(row, findInfo));
	const other = jettons.find(({ master }) => !addresses.includes(formatTonAddresses(master).raw));
	if (other) throw invalidResponseError('the jettons that were asked for', answer);
	return new Map(jettons.map((one) => [formatTonAddresses(one.master).raw, one] as const));
}

/**
 * Reads a jetton from the service's answer. The content on the chain takes precedence over facts that the service
 * fetched elsewhere.
 */
function readJettonRow(json: unknown, findInfo: FindTokenInfo): Jetton {
	const answer = Answer.parse('a jetton', json);
	const master = answer.read('address', parseTonAccount);
	const content = answer.get('jetton_content');
	const info = findInfo(formatTonAddresses(master).raw);
	const getFact = (key: string) => getText(content, key) ?? getText(info, key);
	return {
		master,
		name: getFact('name'),
		symbol: getFact('symbol'),
		decimals: parseDecimals(getValue(content, 'decimals') ?? getValue(info?.extra, 'decimals')),
		totalSupply: answer.read('total_supply', parseUnits),
		mintable: answer.read('mintable', parseTruth),
	};
}

const MAX_DECIMALS = 255;

/**
 * Parses decimals, which are text on the chain, but text or a number in facts fetched elsewhere. Any other value
 * counts as unknown.
 */
function parseDecimals(given: unknown): number | null {
	const text = typeof given === 'number' ? String(given) : given;
	const decimals = typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number(text) : Infinity;
	return decimals <= MAX_DECIMALS ? decimals : null;
}

export async function readJetton(reader: RestReader, master: TonAccount): Promise<Jetton> {
	return (await findJetton(reader, master)) ?? raise(noJettonError(master));
}

function noJettonError(master: TonAccount): RequestFailure {
	return new RequestFailure(`There is no jetton at ${formatTonAddresses(master).bounceable}`, {
		description:
			"Enter the address of the jetton's master contract, on the chain of the credential. The address of somebody's jetton wallet is a different one.",
	});
}

/** A jetton wallet, which holds the jettons of one kind for one owner. */
export interface JettonWallet {
	readonly account: TonAccount;
	/** The owner's address as it was given, with its test flag. */
	readonly owner: TonAccount;
	readonly master: TonAccount;
	readonly balance: bigint;
}

interface WantedWallets {
	readonly owner: TonAccount;
	/** The wanted jettons. An empty list means all jettons. */
	readonly masters: readonly TonAccount[];
	readonly isZeroWanted: boolean;
}

/** Reads the jetton wallets of an owner page by page. Wallets that their masters do not confirm are left out. */
export async function* readJettonWallets(
	reader: RestReader,
	{ owner, masters, isZeroWanted }: WantedWallets,
	wanted = Infinity,
): AsyncGenerator<readonly JettonWallet[]> {
	const list = {
		method: 'jetton/wallets',
		promised: 'the jetton wallets of an owner',
		key: 'jetton_wallets',
		query: {
			owner_address: formatTonAddresses(owner).raw,
			jetton_address: masters.map((one) => formatTonAddresses(one).raw),
			exclude_zero_balance: isZeroWanted ? undefined : 'true',
		},
	};
	for await (const { rows } of readContractPages(reader, list, wanted)) {
		const wallets = rows.map((row) => readWalletRow(row, owner, masters));
		yield wallets.filter(({ balance }) => isZeroWanted || balance > 0n);
	}
}

function readWalletRow(
	json: unknown,
	owner: TonAccount,
	masters: readonly TonAccount[],
): JettonWallet {
	const answer = Answer.parse('a jetton wallet', json);
	const wallet: JettonWallet = {
		account: answer.read('address', parseTonAccount),
		owner,
		master: answer.read('jetton', parseTonAccount),
		balance: answer.read('balance', parseUnits),
	};
	const found = answer.read('owner', parseTonAccount);
	if (!isSameAccount(found, owner))
		answer.throwInvalid('owner', 'the owner that was asked for', formatTonAddresses(found).raw);
	if (masters.length > 0 && !masters.some((one) => isSameAccount(one, wallet.master)))
		answer.throwInvalid(
			'jetton',
			'a jetton that was asked for',
			formatTonAddresses(wallet.master).raw,
		);
	return wallet;
}

/**
 * Lists the jetton wallets of an owner, empty ones included. If masters are given, the list has one jetton wallet for each master. A
 * service may leave out a jetton wallet that is empty or not deployed yet. Then the master contract is asked for its address.
 */
export async function listJettonWallets(
	reader: RestReader,
	owner: TonAccount,
	masters: readonly TonAccount[],
): Promise<readonly JettonWallet[]> {
	const wallets: JettonWallet[] = [];
	for await (const page of readJettonWallets(reader, { owner, masters, isZeroWanted: true }))
		for (const one of page) wallets.push(one);
	const unlisted = masters.filter(
		(master) => !wallets.some((wallet) => isSameAccount(wallet.master, master)),
	);
	const others = unlisted.map(async (master) => await readWalletOfMaster(reader, owner, master));
	return [...wallets, ...(await Promise.all(others))];
}

async function readWalletOfMaster(
	reader: RestReader,
	owner: TonAccount,
	master: TonAccount,
): Promise<JettonWallet> {
	const answer = await postApi(reader, 'runGetMethod', {
		address: formatTonAddresses(master).raw,
		method: 'get_wallet_address',
		stack: parseArguments([{ address: formatTonAddresses(owner).raw }]),
	});
	const given = catching(MethodFailure, () => readMethodResult(answer).result);
	const account = catching(InvalidValue, () => parseTonAccount(given));
	return account instanceof InvalidValue
		? raise(noJettonError(master))
		: { account, owner, master, balance: 0n };
}

/** Finds the jetton wallet of an owner. Returns undefined if the owner has none. */
export async function findJettonWallet(
	reader: RestReader,
	owner: TonAccount,
	master: TonAccount,
): Promise<JettonWallet | undefined> {
	const wanted = { owner, masters: [master], isZeroWanted: true };
	for await (const [wallet] of readJettonWallets(reader, wanted, 1)) return wallet;
	return undefined;
}
