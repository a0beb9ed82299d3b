import {
	parseAccount,
	ContractFailure,
	isHex,
	getBook,
	changeAccount,
	COIN_SUN,
	getLimits,
	getVotingPower,
	type TronWeb,
} from './accounts.mts';
import { getBlockTimestamp, getHeadNumber } from './blocks.mts';
import type { ContractContext, Effect } from './context.mts';
import { checkResourceContract, type ResourceContract } from './resources.mts';
import { ENERGY_PRICE_SUN } from './machine.mts';
import { type Resource, type Wallet, createWitness } from './state.mts';

export interface VoteValue {
	owner_address: string;
	votes: { vote_address: string; vote_count: number }[];
}

export interface CreateValue {
	owner_address: string;
	url: string;
}

export interface TransferValue {
	owner_address: string;
	to_address: string;
	amount: number;
}

export interface FreezeValue {
	owner_address: string;
	frozen_balance: number;
	resource?: Resource;
}

export interface UnfreezeValue {
	owner_address: string;
	unfreeze_balance: number;
	resource?: Resource;
}

export interface TriggerValue {
	owner_address: string;
	contract_address: string;
	data?: string;
	/** The coins that the call sends, in sun. */
	call_value?: number;
}

export type Contract =
	| { type: 'VoteWitnessContract'; value: VoteValue }
	| { type: 'WitnessCreateContract'; value: CreateValue }
	| { type: 'TransferContract'; value: TransferValue }
	| { type: 'FreezeBalanceV2Contract'; value: FreezeValue }
	| { type: 'UnfreezeBalanceV2Contract'; value: UnfreezeValue }
	| { type: 'TriggerSmartContract'; value: TriggerValue }
	| ResourceContract;

/** Checks a transaction's contract as the real chain does: when the transaction is built, and when it is broadcast. */
export async function checkContract(
	{ type, value }: Contract,
	context: ContractContext,
): Promise<Effect> {
	switch (type) {
		case 'VoteWitnessContract':
			return checkVote(value, context);
		case 'WitnessCreateContract':
			return checkRegistration(value, context);
		case 'TransferContract':
			return checkTransfer(value, context);
		case 'FreezeBalanceV2Contract':
			return checkFreeze(value, context);
		case 'UnfreezeBalanceV2Contract':
			return checkUnfreeze(value, context);
		case 'TriggerSmartContract':
			return await checkTrigger(value, context);
		default:
			return checkResourceContract({ type, value } as ResourceContract, context);
	}
}

const MAX_VOTES = 30;

function checkVote({ owner_address, votes }: VoteValue, context: ContractContext): Effect {
	const { wallet, visible, tronWeb } = context;
	const owner = parseAccount(owner_address, visible, tronWeb);
	if (votes.length === 0) throw new ContractFailure('VoteNumber must more than 0');
	if (votes.length > MAX_VOTES) throw new ContractFailure(`MaxVoteNumber more than ${MAX_VOTES}`);
	const cast = new Map<string, number>();
	for (const { vote_address, vote_count } of votes) {
		const witness = parseAccount(vote_address, visible, tronWeb);
		if (vote_count <= 0) throw new ContractFailure('vote count must be greater than 0');
		if (!isWitness(wallet, witness)) throw new ContractFailure(`Witness[${witness}] not exists`);
		cast.set(witness, (cast.get(witness) ?? 0) + vote_count);
	}
	const total = votes.reduce((sum, { vote_count }) => sum + vote_count, 0);
	const frozen = getVotingPower(getBook(owner, wallet, tronWeb));
	if (total > frozen) {
		const words = `The total number of votes[${total}] is greater than the frozen balance[${frozen}]`;
		throw new ContractFailure(words);
	}
	return () => {
		wallet.votes.set(owner, cast);
		return {};
	};
}

const REGISTRATION_FEE_SUN = 9999 * COIN_SUN;

function checkRegistration({ owner_address, url }: CreateValue, context: ContractContext): Effect {
	const { wallet, visible, tronWeb } = context;
	const owner = parseAccount(owner_address, visible, tronWeb);
	if (!visible && !isHex(url)) throw new ContractFailure(`INVALID hex String: "${url}"`);
	const address = visible ? url : Buffer.from(url, 'hex').toString();
	if (!URL.canParse(address) || !/^https?:/.test(address)) throw new ContractFailure('Invalid url');
	if (isWitness(wallet, owner)) throw new ContractFailure(`Witness[${owner}] has existed`);
	if (getBook(owner, wallet, tronWeb).balance < REGISTRATION_FEE_SUN) {
		throw new ContractFailure('balance < AccountUpgradeCost');
	}
	return () => {
		changeAccount(owner, wallet, (books) => (books.balance -= REGISTRATION_FEE_SUN));
		wallet.witnesses.push(createWitness(owner, address));
		return { fee: REGISTRATION_FEE_SUN };
	};
}

const isWitness = ({ witnesses }: Wallet, account: string) =>
	witnesses.some(({ address }) => address === account);

export const NEW_ACCOUNT_FEE_SUN = COIN_SUN;

function checkTransfer(
	{ owner_address, to_address, amount }: TransferValue,
	context: ContractContext,
): Effect {
	const { wallet, visible, tronWeb } = context;
	const owner = parseAccount(owner_address, visible, tronWeb);
	const to = parseAccount(to_address, visible, tronWeb);
	if (owner === to) throw new ContractFailure('Cannot transfer TRX to yourself.');
	if (amount <= 0) throw new ContractFailure('Amount must be greater than 0.');
	const fee = getBook(to, wallet, tronWeb).exists ? 0 : NEW_ACCOUNT_FEE_SUN;
	if (getBook(owner, wallet, tronWeb).balance < amount + fee) {
		throw new ContractFailure('Validate TransferContract error, balance is not sufficient.');
	}
	return () => {
		changeAccount(owner, wallet, (books) => (books.balance -= amount + fee));
		changeAccount(to, wallet, (books) => (books.balance += amount));
		return { fee };
	};
}

function checkFreeze(
	{ owner_address, frozen_balance, resource = 'BANDWIDTH' }: FreezeValue,
	{ wallet, visible, tronWeb }: ContractContext,
): Effect {
	const owner = parseAccount(owner_address, visible, tronWeb);
	if (frozen_balance < COIN_SUN) {
		throw new ContractFailure('frozenBalance must be greater than or equal to 1 TRX');
	}
	if (frozen_balance > getBook(owner, wallet, tronWeb).balance) {
		throw new ContractFailure('frozenBalance must be less than or equal to accountBalance');
	}
	return () => {
		changeAccount(owner, wallet, (books) => {
			books.balance -= frozen_balance;
			books.frozen[resource] += frozen_balance;
		});
		return {};
	};
}

function checkUnfreeze(
	{ owner_address, unfreeze_balance, resource = 'BANDWIDTH' }: UnfreezeValue,
	{ wallet, visible, tronWeb }: ContractContext,
): Effect {
	const owner = parseAccount(owner_address, visible, tronWeb);
	const frozen = getBook(owner, wallet, tronWeb).frozen[resource];
	if (frozen === 0) throw new ContractFailure(`no frozenBalance(${resource})`);
	if (unfreeze_balance <= 0 || unfreeze_balance > frozen) {
		throw new ContractFailure(`Invalid unfreeze_balance, [${unfreeze_balance}] is error`);
	}
	return () => {
		changeAccount(owner, wallet, (books) => {
			books.frozen[resource] -= unfreeze_balance;
			books.unfrozen.push({
				unfreeze_amount: unfreeze_balance,
				unfreeze_expire_time:
					getBlockTimestamp(wallet.clock, getHeadNumber(wallet.clock)) +
					wallet.settings.unfreezingTime,
				...(resource === 'ENERGY' && { type: resource }),
			});
		});
		dropVotes(owner, wallet, tronWeb);
		return {};
	};
}

/** Removes the votes of an account that has fewer frozen coins than votes. */
function dropVotes(owner: string, wallet: Wallet, tronWeb: TronWeb): void {
	const cast = [...(wallet.votes.get(owner)?.values() ?? [])].reduce((sum, one) => sum + one, 0);
	if (cast > getVotingPower(getBook(owner, wallet, tronWeb))) wallet.votes.delete(owner);
}

async function checkTrigger(value: TriggerValue, context: ContractContext): Promise<Effect> {
	const { wallet, visible, tronWeb, machine, feeLimit = 0 } = context;
	const { data = '', call_value: callValue = 0 } = value;
	const owner = parseAccount(value.owner_address, visible, tronWeb);
	const contract = parseAccount(value.contract_address, visible, tronWeb);
	if (!isHex(data)) throw new ContractFailure(`INVALID hex String: "${data}"`);
	if (!(await machine.hasCode(contract))) {
		throw new ContractFailure('No contract or not a valid smart contract');
	}
	if (getBook(owner, wallet, tronWeb).balance < callValue) {
		throw new ContractFailure('Validate InternalTransfer error, balance is not sufficient.');
	}
	return async () => {
		const book = getBook(owner, wallet, tronWeb);
		const own = Math.max(getLimits(book).energy - book.changes.energyUsed, 0);
		const energyLimit = Math.min(
			own + Math.floor((book.balance - callValue) / ENERGY_PRICE_SUN),
			Math.floor(feeLimit / ENERGY_PRICE_SUN),
		);
		const outcome = await machine.execute({ owner, contract, data, callValue, energyLimit });
		const { energy, result } = outcome;
		const fee = Math.max(energy - own, 0) * ENERGY_PRICE_SUN;
		const paid = fee + (result === 'SUCCESS' ? callValue : 0);
		changeAccount(owner, wallet, (books) => {
			books.balance -= paid;
			books.energyUsed += Math.min(own, energy);
		});
		if (result === 'SUCCESS' && callValue > 0) {
			changeAccount(contract, wallet, (books) => (books.balance += callValue));
		}
		for (const { from, to, callValue: sent, rejected } of outcome.internal ?? []) {
			if (rejected || sent === 0) continue;
			changeAccount(from, wallet, (books) => (books.balance -= sent));
			changeAccount(to, wallet, (books) => (books.balance += sent));
		}
		return { ...outcome, fee, energy_fee: fee };
	};
}
