import { RequestFailure } from '../errors/requestFailure';
import { Loader } from '../transport/pacing/loader';
import { throwInvalidResponse } from '../transport/responses/response';
import { formatUnits } from '../values/units';
import { isRecord } from '../values/parse';
import { formatTonAddresses, parseTonAccount, type TonAccount } from './address';
import { Answer, parseTruth, parseUnits } from './answer';
import type { JettonFacts } from './jettonTransfers';
import { parsePage, readApi, readContractPages, type TonService } from './service';
import { createTokenInfoFinder, getText, type FindTokenInfo } from './tokenInfo';
import { isSameAccount } from './transactions';

/** What a jetton says of itself, which anybody can say: its master's address tells it apart. */
export interface Jetton extends JettonFacts {
	readonly name: string | null;
	readonly totalSupply: bigint;
	readonly mintable: boolean;
}

/** The service takes a thousand, and gateways an address of a few thousand characters. */
const MAX_ADDRESSES = 50;

const createJettonLoader = () => new Loader<Jetton | undefined>(MAX_ADDRESSES);
const createJettonCache = () => new Map<string, Promise<Jetton | undefined>>();

/** Undefined for what is no jetton. Asked once in a run, and again after a failure; several cost one request. */
export async function findJetton(
	service: TonService,
	master: TonAccount,
): Promise<Jetton | undefined> {
	const known = service.shared(createJettonCache);
	const { raw } = formatTonAddresses(master);
	const asked = known.get(raw) ?? loadJetton(service, raw);
	known.set(raw, asked);
	return await asked.catch(async (failure) => {
		known.delete(raw);
		return await Promise.reject(failure);
	});
}

async function loadJetton(service: TonService, raw: string): Promise<Jetton | undefined> {
	return await service.shared(createJettonLoader).get(raw, async (addresses) => {
		const jettons = await readMasters(service, addresses);
		return (address) => jettons.get(address);
	});
}

/** The keys are raw addresses. */
async function readMasters(service: TonService, addresses: readonly string[]) {
	const query = { address: addresses, limit: addresses.length };
	const answer = await readApi(service, 'jetton/masters', query);
	const { rows, metadata } = parsePage('jettons', 'jetton_masters', answer);
	const findInfo = createTokenInfoFinder(metadata, 'jetton_masters');
	const jettons = rows.map((row) => readJettonRow(row, findInfo));
	const other = jettons.find(({ master }) => !addresses.includes(formatTonAddresses(master).raw));
	if (other) return throwInvalidResponse('the jettons that were asked for', answer);
	return new Map(jettons.map((one) => [formatTonAddresses(one.master).raw, one] as const));
}

/** What is on the chain counts before what the service fetched. */
function readJettonRow(json: unknown, findInfo: FindTokenInfo): Jetton {
	const answer = Answer.parse('a jetton', json);
	const master = answer.read('address', parseTonAccount);
	const content = isRecord(json) ? json.jetton_content : undefined;
	const info = findInfo(formatTonAddresses(master).raw);
	const getFact = (key: string) => getText(content, key) ?? getText(info, key);
	return {
		master,
		name: getFact('name'),
		symbol: getFact('symbol'),
		decimals: parseDecimals(getText(content, 'decimals') ?? getText(info?.extra, 'decimals')),
		totalSupply: answer.read('total_supply', parseUnits),
		mintable: answer.read('mintable', parseTruth),
	};
}

const MAX_DECIMALS = 255;

function parseDecimals(text: string | null): number | null {
	const decimals = text !== null && /^\d{1,3}$/.test(text) ? Number(text) : Infinity;
	return decimals <= MAX_DECIMALS ? decimals : null;
}

export async function readJetton(service: TonService, master: TonAccount): Promise<Jetton> {
	return (await findJetton(service, master)) ?? throwNoJetton(master);
}

function throwNoJetton(master: TonAccount): never {
	throw new RequestFailure(`There is no jetton at ${formatTonAddresses(master).bounceable}`, {
		description:
			"It must be the address of the jetton's master contract, on the chain that the credential is of. The address of somebody's jetton wallet is another one.",
	});
}

/** Whole jettons as exact decimal text; null where the jetton tells no decimals. */
export function formatJettonAmount(
	amount: bigint,
	{ decimals }: Pick<JettonFacts, 'decimals'>,
): string | null {
	return decimals === null ? null : formatUnits(amount, decimals);
}

/** What one owner holds of one jetton. */
export interface JettonWallet {
	readonly account: TonAccount;
	readonly owner: TonAccount;
	readonly master: TonAccount;
	readonly balance: bigint;
}

interface WantedWallets {
	readonly owner: TonAccount;
	/** None are any. */
	readonly masters: readonly TonAccount[];
	readonly isZeroWanted: boolean;
}

/** The jetton wallets of an owner that their masters confirm, page by page. */
export async function* readJettonWallets(
	service: TonService,
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
	for await (const { rows } of readContractPages(service, list, wanted)) {
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
		owner: answer.read('owner', parseTonAccount),
		master: answer.read('jetton', parseTonAccount),
		balance: answer.read('balance', parseUnits),
	};
	if (!isSameAccount(wallet.owner, owner))
		answer.throwInvalid(
			'owner',
			'the owner that was asked for',
			formatTonAddresses(wallet.owner).raw,
		);
	if (masters.length > 0 && !masters.some((one) => isSameAccount(one, wallet.master)))
		answer.throwInvalid(
			'jetton',
			'a jetton that was asked for',
			formatTonAddresses(wallet.master).raw,
		);
	return wallet;
}

/** Undefined for an owner that has none. */
export async function findJettonWallet(
	service: TonService,
	owner: TonAccount,
	master: TonAccount,
): Promise<JettonWallet | undefined> {
	const wanted = { owner, masters: [master], isZeroWanted: true };
	for await (const [wallet] of readJettonWallets(service, wanted, 1)) return wallet;
	return undefined;
}
