import {
	changeAccount,
	COIN_SUN,
	ContractFailure,
	getBook,
	parseAccount,
	type TronWeb,
} from './accounts.mts';
import { getBlockTimestamp, getHeadNumber } from './blocks.mts';
import type { ContractContext, Effect } from './context.mts';
import type { Loan, Resource, Wallet } from './state.mts';

interface UndelegateValue {
	owner_address: string;
	receiver_address: string;
	balance: number;
	resource?: Resource;
}

interface DelegateValue extends UndelegateValue {
	lock?: boolean;
	/** The lock period in blocks of three seconds. */
	lock_period?: number;
}

interface WithdrawValue {
	owner_address: string;
}

/** The kinds of contracts that delegate resources, take them back, and withdraw unfrozen coins. */
export type ResourceContract =
	| { type: 'DelegateResourceContract'; value: DelegateValue }
	| { type: 'UnDelegateResourceContract'; value: UndelegateValue }
	| { type: 'WithdrawExpireUnfreezeContract'; value: WithdrawValue }
	| { type: 'WithdrawBalanceContract'; value: WithdrawValue };

export async function checkResourceContract(
	{ type, value }: ResourceContract,
	context: ContractContext,
): Promise<Effect> {
	switch (type) {
		case 'DelegateResourceContract':
			return await checkDelegate(value, context);
		case 'UnDelegateResourceContract':
			return checkUndelegate(value, context);
		case 'WithdrawExpireUnfreezeContract':
			return checkUnfrozenWithdrawal(value, context);
		case 'WithdrawBalanceContract':
			return checkRewardWithdrawal(value, context);
	}
}

const MAX_LOCK_BLOCKS = 864_000;
/** The lock period when a request sets none: three days of blocks. */
const DEFAULT_LOCK_BLOCKS = 86_400;
const BLOCK_MS = 3000;

const RESOURCE_NAMES = { BANDWIDTH: 'FreezeBandwidthV2', ENERGY: 'FreezeEnergyV2' };

async function checkDelegate(value: DelegateValue, context: ContractContext): Promise<Effect> {
	const { wallet, tronWeb, machine } = context;
	const { balance, resource = 'BANDWIDTH', lock = false, lock_period = 0 } = value;
	const { owner, receiver } = parseParties(value, context);
	if (balance < COIN_SUN) {
		throw new ContractFailure('delegateBalance must be greater than or equal to 1 TRX');
	}
	if (balance > getBook(owner, wallet, tronWeb).frozen[resource]) {
		const name = RESOURCE_NAMES[resource];
		throw new ContractFailure(
			`delegateBalance must be less than or equal to available ${name} balance`,
		);
	}
	if (!getBook(receiver, wallet, tronWeb).exists) {
		throw new ContractFailure(`Account[${receiver}] not exists`);
	}
	if (lock && (lock_period < 0 || lock_period > MAX_LOCK_BLOCKS)) {
		throw new ContractFailure(
			`The lock period of delegate resource cannot be less than 0 and cannot exceed ${MAX_LOCK_BLOCKS}!`,
		);
	}
	if (await machine.hasCode(receiver)) {
		throw new ContractFailure('Do not allow delegate resources to contract addresses');
	}
	return () => {
		changeAccount(owner, wallet, (books) => (books.frozen[resource] -= balance));
		const lockedFor = lock ? (lock_period || DEFAULT_LOCK_BLOCKS) * BLOCK_MS : 0;
		const lockedUntil = getNow(wallet) + lockedFor;
		wallet.loans.push({ owner, receiver, resource, balance, lockedUntil });
		return {};
	};
}

function checkUndelegate(value: UndelegateValue, context: ContractContext): Effect {
	const { wallet } = context;
	const { balance, resource = 'BANDWIDTH' } = value;
	const { owner, receiver } = parseParties(value, context);
	const isMeant = (loan: Loan) =>
		loan.owner === owner && loan.receiver === receiver && loan.resource === resource;
	if (!wallet.loans.some(isMeant)) throw new ContractFailure('delegated Resource does not exist');
	if (balance <= 0) throw new ContractFailure('unDelegateBalance must be more than 0 TRX');
	const free = wallet.loans.filter((loan) => isMeant(loan) && loan.lockedUntil <= getNow(wallet));
	const most = free.reduce((sum, loan) => sum + loan.balance, 0);
	if (balance > most) {
		const words = `insufficient delegatedFrozenBalance(${resource}), request=${balance}, unlock_balance=${most}`;
		throw new ContractFailure(words);
	}
	return () => {
		let missing = balance;
		for (const loan of free) {
			const taken = Math.min(loan.balance, missing);
			loan.balance -= taken;
			missing -= taken;
		}
		wallet.loans = wallet.loans.filter((loan) => loan.balance > 0);
		changeAccount(owner, wallet, (books) => (books.frozen[resource] += balance));
		return {};
	};
}

function parseParties(
	{ owner_address, receiver_address }: UndelegateValue,
	{ visible, tronWeb }: { visible: boolean; tronWeb: TronWeb },
) {
	const owner = parseAccount(owner_address, visible, tronWeb);
	const receiver = parseAccount(receiver_address, visible, tronWeb);
	if (owner === receiver) {
		throw new ContractFailure('receiverAddress must not be the same as ownerAddress');
	}
	return { owner, receiver };
}

function checkUnfrozenWithdrawal(
	{ owner_address }: WithdrawValue,
	{ wallet, visible, tronWeb }: ContractContext,
): Effect {
	const owner = parseAccount(owner_address, visible, tronWeb);
	const isOver = ({ unfreeze_expire_time }: { unfreeze_expire_time: number }) =>
		unfreeze_expire_time <= getNow(wallet);
	const ripe = getBook(owner, wallet, tronWeb).changes.unfrozen.filter(isOver);
	if (ripe.length === 0) throw new ContractFailure('no unFreeze balance to withdraw ');
	return () => {
		changeAccount(owner, wallet, (books) => {
			books.balance += ripe.reduce((sum, { unfreeze_amount }) => sum + unfreeze_amount, 0);
			books.unfrozen = books.unfrozen.filter((one) => !ripe.includes(one));
		});
		return {};
	};
}

const DAY_MS = 24 * 3_600_000;
/** The reward of each vote in sun. It does not depend on the time of the vote. */
const REWARD_PER_VOTE_SUN = 1000;

function checkRewardWithdrawal(
	{ owner_address }: WithdrawValue,
	{ wallet, visible, tronWeb }: ContractContext,
): Effect {
	const owner = parseAccount(owner_address, visible, tronWeb);
	const { withdrawnAt } = getBook(owner, wallet, tronWeb).changes;
	const now = getNow(wallet);
	if (withdrawnAt !== undefined && now - withdrawnAt < DAY_MS) {
		throw new ContractFailure(`The last withdraw time is ${withdrawnAt}, less than 24 hours`);
	}
	const cast = [...(wallet.votes.get(owner)?.values() ?? [])].reduce((sum, one) => sum + one, 0);
	if (cast === 0) throw new ContractFailure('witnessAccount does not have any reward');
	return () => {
		changeAccount(owner, wallet, (books) => {
			books.balance += cast * REWARD_PER_VOTE_SUN;
			books.withdrawnAt = now;
		});
		return {};
	};
}

const getNow = ({ clock }: Wallet) => getBlockTimestamp(clock, getHeadNumber(clock));
