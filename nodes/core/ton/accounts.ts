import { Answer } from '../chain/answer';
import { formatTonAddresses, parseTonAccount, type TonAccount } from './address';
import { NANOCOIN_DECIMALS, formatUnits } from '../values/units';
import { type Parse, InvalidValue } from '../values/parse';
import { parseTonHash, parseUnits } from './answer';
import { parseBag } from './bag/parse';
import { parseWalletData, recognizeWallet, type WalletType } from './wallets';
import { raise } from '../errors/raise';
import type { RestReader } from '../chain/reader';
import { Loader, sharedKey } from '../net/pacing/shared';
import { invalidResponseError } from '../net/responses/response';
import { MAX_ADDRESSES_PER_REQUEST, parsePage, readApi } from './reader';

const STATUSES = {
	active: 'active',
	uninit: 'uninitialized',
	uninitialized: 'uninitialized',
	frozen: 'frozen',
	nonexist: 'nonexistent',
} as const;

export type AccountStatus = (typeof STATUSES)[keyof typeof STATUSES];

export interface AccountState {
	readonly account: TonAccount;
	/** In nanocoins. */
	readonly balance: bigint;
	readonly status: AccountStatus;
	/**
	 * The kind of the wallet. Null for an account without code, and for a contract of no known kind of wallet. Then
	 * `seqno` and `walletId` are null as well.
	 */
	readonly walletType: WalletType | null;
	readonly seqno: number | null;
	readonly walletId: number | null;
}

const PROMISED = 'the state of an account';

const parseStatus: Parse<AccountStatus> = (given) =>
	Object.entries(STATUSES).find(([name]) => name === given)?.[1] ??
	raise(new InvalidValue(`one of ${Object.keys(STATUSES).join(', ')}`));

/** Reads one row of the answer to accountStates. For a wallet, the row contains the data of its contract. */
export function readAccountState(json: unknown): AccountState {
	const answer = Answer.parse(PROMISED, json);
	const status = answer.read('status', parseStatus);
	const codeHash = answer.readOptional('code_hash', parseTonHash);
	const isDeployed = status === 'active' && codeHash !== null;
	const walletType = isDeployed ? (recognizeWallet(Buffer.from(codeHash, 'hex')) ?? null) : null;
	const wallet =
		walletType &&
		answer.readOptional('data_boc', (given) => parseWalletData(walletType, parseBag(given)));
	return {
		account: answer.read('address', parseTonAccount),
		balance: answer.read('balance', parseUnits),
		status,
		walletType,
		seqno: wallet?.seqno ?? null,
		walletId: wallet?.walletId ?? null,
	};
}

/** Returns the state of an account that the service leaves out of its answer, because it has never seen the account. */
export function getUnknownAccount(account: TonAccount): AccountState {
	return {
		account,
		balance: 0n,
		status: 'nonexistent',
		walletType: null,
		seqno: null,
		walletId: null,
	};
}

/** Formats the state of an account. The address of a wallet is non-bounceable, so that coins stay there. */
export function formatAccount(state: AccountState, isTestOnly: boolean) {
	const { balance, status, walletType, seqno } = state;
	const forms = formatTonAddresses({ ...state.account, isTestOnly });
	return {
		address: walletType ? forms.nonBounceable : forms.bounceable,
		rawAddress: forms.raw,
		balance: formatUnits(balance, NANOCOIN_DECIMALS),
		value: String(balance),
		amount: formatUnits(balance, NANOCOIN_DECIMALS),
		status,
		walletType,
		seqno,
	};
}

const ACCOUNT_LOADER = sharedKey(
	'ton.accountLoader',
	() => new Loader<AccountState>(MAX_ADDRESSES_PER_REQUEST),
);

/** Reads the present state of an account. The items of a run that ask at the same time share one request. */
export async function readAccount(reader: RestReader, account: TonAccount): Promise<AccountState> {
	const loader = reader.shared(ACCOUNT_LOADER);
	const { raw } = formatTonAddresses(account);
	const found = await loader.get(raw, async (addresses) => await readStates(reader, addresses));
	return found ?? getUnknownAccount(account);
}

/** Reads the states of accounts by their raw addresses. The result has no entry for an account that the service has never seen. */
async function readStates(reader: RestReader, addresses: readonly string[]) {
	const answer = await readApi(reader, 'accountStates', { address: addresses });
	const { rows } = parsePage('the states of accounts', 'accounts', answer);
	const states = new Map(
		rows.map(readAccountState).map((one) => [formatTonAddresses(one.account).raw, one] as const),
	);
	const other = [...states.keys()].find((address) => !addresses.includes(address));
	return other === undefined
		? states
		: raise(invalidResponseError(`the accounts that were asked for, but with ${other}`, answer));
}

/** Whether an account has code, and so can send coins back. */
export function hasCode({ status }: AccountState): boolean {
	return status === 'active';
}

/**
 * Formats an address as people know it: non-bounceable for wallets and for accounts without code, and otherwise
 * bounceable.
 */
export function formatByState(state: AccountState, isTestOnly: boolean): string {
	const forms = formatTonAddresses({ ...state.account, isTestOnly });
	return hasCode(state) && !state.walletType ? forms.bounceable : forms.nonBounceable;
}
