import type { Changes, Loan, Resource, Wallet } from './state.mts';

export type TronWeb = typeof import('tronweb');

/** Loads the library for addresses, signatures and transactions at its first use, because it takes a second to load. */
export const loadTronWeb = (): Promise<TronWeb> => import('tronweb');

/** A refusal of the chain. It is shown as `{"Error": "class … : words"}` with HTTP status 200. */
export class ContractFailure extends Error {}

/**
 * Returns the 21 bytes of an address in hex. The address must be in base58 if `visible` is true, and in hex otherwise.
 */
export function parseAccount(address: string, visible: boolean, { utils }: TronWeb): string {
	if (visible) {
		if (utils.crypto.isAddressValid(address)) return utils.address.toHex(address);
		throw new ContractFailure(`Invalid address: base58check is required, got "${address}"`);
	}
	if (!isHex(address)) throw new ContractFailure(`INVALID hex String: "${address}"`);
	if (/^41.{40}$/.test(address)) return address.toLowerCase();
	const words = '21 bytes that start with 41 are required';
	throw new ContractFailure(`Invalid address: ${words}, got "${address}"`);
}

export const isHex = (text: string) => /^([0-9a-f]{2})*$/i.test(text);

/** Sun in a coin. */
export const COIN_SUN = 1_000_000;

/** The state of an account: the amounts in the settings, changed by the account's own actions. */
interface AccountBook {
	balance: number;
	frozen: { BANDWIDTH: number; ENERGY: number };
	lent: { BANDWIDTH: number; ENERGY: number };
	borrowed: { BANDWIDTH: number; ENERGY: number };
	changes: Changes;
	exists: boolean;
}

const createChanges = (): Changes => ({
	balance: 0,
	frozen: { BANDWIDTH: 0, ENERGY: 0 },
	unfrozen: [],
	netUsed: 0,
	freeNetUsed: 0,
	energyUsed: 0,
});

export function getBook(account: string, wallet: Wallet, { utils }: TronWeb): AccountBook {
	const { frozen, defaultFrozen, balances, defaultBalance } = wallet.settings;
	const changes = wallet.changes.get(account) ?? createChanges();
	const given = (by: Record<string, number>, usual: number) =>
		(by[account] ?? by[utils.address.fromHex(account)] ?? usual) * COIN_SUN;
	const balance = given(balances, defaultBalance) + changes.balance;
	const bandwidth = given(frozen, defaultFrozen) + changes.frozen.BANDWIDTH;
	return {
		balance,
		frozen: { BANDWIDTH: bandwidth, ENERGY: changes.frozen.ENERGY },
		lent: sumLoans(wallet.loans.filter(({ owner }) => owner === account)),
		borrowed: sumLoans(wallet.loans.filter(({ receiver }) => receiver === account)),
		changes,
		exists: balance > 0 || bandwidth > 0 || wallet.changes.has(account),
	};
}

function sumLoans(loans: readonly Loan[]) {
	const sumOf = (wanted: Resource) =>
		loans.reduce((sum, { resource, balance }) => sum + (resource === wanted ? balance : 0), 0);
	return { BANDWIDTH: sumOf('BANDWIDTH'), ENERGY: sumOf('ENERGY') };
}

export function changeAccount(account: string, wallet: Wallet, apply: (changes: Changes) => void) {
	const changes = wallet.changes.get(account) ?? createChanges();
	apply(changes);
	wallet.changes.set(account, changes);
}

/** Returns the number of votes that an account has. Each whole frozen coin is worth one vote. */
export const getVotingPower = ({ frozen, lent }: AccountBook) =>
	Math.floor((frozen.BANDWIDTH + frozen.ENERGY + lent.BANDWIDTH + lent.ENERGY) / COIN_SUN);

const FREE_NET_BYTES = 600;
const NET_BYTES_PER_COIN = 10;
const ENERGY_PER_COIN = 100;

export const getLimits = ({ frozen, borrowed }: AccountBook) => ({
	freeNet: FREE_NET_BYTES,
	net: Math.floor((frozen.BANDWIDTH + borrowed.BANDWIDTH) / COIN_SUN) * NET_BYTES_PER_COIN,
	energy: Math.floor((frozen.ENERGY + borrowed.ENERGY) / COIN_SUN) * ENERGY_PER_COIN,
});

/** Formats the answer to `getaccount`. It is empty for an account that does not exist. */
export function formatAccount(
	account: string,
	address: string,
	wallet: Wallet,
	tronWeb: TronWeb,
	visible: boolean,
) {
	const book = getBook(account, wallet, tronWeb);
	if (!book.exists) return {};
	const cast = [...(wallet.votes.get(account) ?? [])];
	const votes = cast.map(([witness, vote_count]) => ({
		vote_address: visible ? tronWeb.utils.address.fromHex(witness) : witness,
		vote_count,
	}));
	const { BANDWIDTH, ENERGY } = book.frozen;
	const { operatedAt } = book.changes;
	return {
		address,
		...(book.balance > 0 && { balance: book.balance }),
		...(votes.length > 0 && { votes }),
		create_time: 1_600_000_000_000,
		...(operatedAt !== undefined && { latest_opration_time: operatedAt }),
		account_resource: {},
		frozenV2: [
			BANDWIDTH > 0 ? { amount: BANDWIDTH } : {},
			ENERGY > 0 ? { type: 'ENERGY', amount: ENERGY } : { type: 'ENERGY' },
			{ type: 'TRON_POWER' },
		],
		...(book.changes.unfrozen.length > 0 && { unfrozenV2: book.changes.unfrozen }),
	};
}

/** `getaccountresource`, without zeros. */
export function formatResources(account: string, wallet: Wallet, tronWeb: TronWeb) {
	const book = getBook(account, wallet, tronWeb);
	if (!book.exists) return {};
	const { freeNet, net, energy } = getLimits(book);
	const { netUsed, freeNetUsed, energyUsed } = book.changes;
	const cast = [...(wallet.votes.get(account)?.values() ?? [])];
	const all = {
		freeNetUsed,
		freeNetLimit: freeNet,
		NetUsed: netUsed,
		NetLimit: net,
		TotalNetLimit: 43_200_000_000,
		TotalNetWeight: 26_000_000_000,
		tronPowerUsed: cast.reduce((sum, count) => sum + count, 0),
		tronPowerLimit: getVotingPower(book),
		EnergyUsed: energyUsed,
		EnergyLimit: energy,
		TotalEnergyLimit: 180_000_000_000,
		TotalEnergyWeight: 19_000_000_000,
	};
	return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== 0));
}
