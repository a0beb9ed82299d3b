import { Answer } from '../chain/answer';
import { formatTonAddresses, parseTonAccount, type TonAccount } from './address';
import { NANOCOIN_DECIMALS, formatUnits } from '../values/units';
import { type Parse, InvalidValue } from '../values/parse';
import { parseTonHash, parseUnits } from './answer';
import { parseBag } from './bag/parse';
import { parseWalletData, recognizeWallet, type WalletType } from './wallets';
import { raise } from '../errors/raise';

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
	 * Null for an account without code, and for a contract that is not a known kind of wallet. Then the other two are null as
	 * well.
	 */
	readonly walletType: WalletType | null;
	readonly seqno: number | null;
	readonly walletId: number | null;
}

const PROMISED = 'the state of an account';

const parseStatus: Parse<AccountStatus> = (given) =>
	Object.entries(STATUSES).find(([name]) => name === given)?.[1] ??
	raise(new InvalidValue(`one of ${Object.keys(STATUSES).join(', ')}`));

/** A row of accountStates, whose data contain the state of a wallet. */
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

/** An account that the index leaves out of a list, because it never saw the account. */
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

/** Non-bounceable for wallets, so that coins stay there, and with the test flag of the given address. */
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
