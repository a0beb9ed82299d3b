import { Loader } from '../transport/pacing/loader';
import { throwInvalidResponse } from '../transport/responses/response';
import { getUnknownAccount, readAccountState, type AccountState } from './accounts';
import { formatTonAddresses, type TonAccount } from './address';
import { parsePage, readApi, type TonService } from './service';

/** The service takes a thousand, and gateways an address of a few thousand characters. */
const MAX_ADDRESSES = 50;

const createAccountLoader = () => new Loader<AccountState | undefined>(MAX_ADDRESSES);

/** The state of an account now. Those that items ask for at the same time cost one request. */
export async function readAccount(service: TonService, account: TonAccount): Promise<AccountState> {
	const loader = service.shared(createAccountLoader);
	const found = await loader.get(formatTonAddresses(account).raw, async (addresses) => {
		const states = await readStates(service, addresses);
		return (address) => states.get(address);
	});
	return found ?? getUnknownAccount(account);
}

/** By raw address. What the index never saw is missing. */
async function readStates(service: TonService, addresses: readonly string[]) {
	const answer = await readApi(service, 'accountStates', { address: addresses });
	const { rows } = parsePage('the states of accounts', 'accounts', answer);
	const states = new Map(
		rows.map(readAccountState).map((one) => [formatTonAddresses(one.account).raw, one] as const),
	);
	const other = [...states.keys()].find((address) => !addresses.includes(address));
	return other === undefined
		? states
		: throwInvalidResponse(`the accounts that were asked for, but with ${other}`, answer);
}

/** What has code can send back; what has none keeps what it gets only where nothing is to come back. */
export function hasCode({ status }: AccountState): boolean {
	return status === 'active';
}

/** As people know it: non-bounceable for wallets and for what has no code yet. */
export function formatByState(state: AccountState, isTestOnly: boolean): string {
	const forms = formatTonAddresses({ ...state.account, isTestOnly });
	return hasCode(state) && !state.walletType ? forms.bounceable : forms.nonBounceable;
}
