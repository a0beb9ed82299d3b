import type { RestReader } from '../chain/reader';
import { Loader } from '../net/pacing/loader';
import { invalidResponseError } from '../net/responses/response';
import { getUnknownAccount, readAccountState, type AccountState } from './accounts';
import { formatTonAddresses, type TonAccount } from './address';
import { MAX_ADDRESSES_PER_REQUEST, parsePage, readApi } from './reader';
import { raise } from '../errors/raise';
import { sharedKey } from '../net/pacing/shared';

const ACCOUNT_LOADER = sharedKey(
	'ton.accountLoader',
	() => new Loader<AccountState>(MAX_ADDRESSES_PER_REQUEST),
);

/** Reads the state of an account now. Accounts that items ask for at the same time cost one request. */
export async function readAccount(service: RestReader, account: TonAccount): Promise<AccountState> {
	const loader = service.shared(ACCOUNT_LOADER);
	const { raw } = formatTonAddresses(account);
	const found = await loader.get(raw, async (addresses) => await readStates(service, addresses));
	return found ?? getUnknownAccount(account);
}

/** Reads states by raw address. An account that the index never saw has no entry. */
async function readStates(service: RestReader, addresses: readonly string[]) {
	const answer = await readApi(service, 'accountStates', { address: addresses });
	const { rows } = parsePage('the states of accounts', 'accounts', answer);
	const states = new Map(
		rows.map(readAccountState).map((one) => [formatTonAddresses(one.account).raw, one] as const),
	);
	const other = [...states.keys()].find((address) => !addresses.includes(address));
	return other === undefined
		? states
		: raise(invalidResponseError(`the accounts that were asked for, but with ${other}`, answer));
}

/** An account with code can send coins back. An account without code keeps them only if the sender asks for no return. */
export function hasCode({ status }: AccountState): boolean {
	return status === 'active';
}

/** Formats the address as people know it: non-bounceable for wallets and for accounts without code. */
export function formatByState(state: AccountState, isTestOnly: boolean): string {
	const forms = formatTonAddresses({ ...state.account, isTestOnly });
	return hasCode(state) && !state.walletType ? forms.bounceable : forms.nonBounceable;
}
