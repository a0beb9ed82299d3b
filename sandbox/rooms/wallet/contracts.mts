import { accountOf, ContractFailure, isHex } from './accounts.mts';
import { timestampOf, headOf } from './blocks.mts';
import { bookOf, change, coin, powerOf } from './ledger.mts';
import type { Outcome, WalletState } from './state.mts';
import type { Tools } from './tools.mts';
import type { Machine } from './machine.mts';
import { newWitness } from './witnesses.mts';

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
	/** In sun. */
	call_value?: number;
}

type Resource = 'BANDWIDTH' | 'ENERGY';

export type Contract =
	| { type: 'VoteWitnessContract'; value: VoteValue }
	| { type: 'WitnessCreateContract'; value: CreateValue }
	| { type: 'TransferContract'; value: TransferValue }
	| { type: 'FreezeBalanceV2Contract'; value: FreezeValue }
	| { type: 'UnfreezeBalanceV2Contract'; value: UnfreezeValue }
	| { type: 'TriggerSmartContract'; value: TriggerValue };

export interface Surroundings {
	wallet: WalletState;
	visible: boolean;
	tools: Tools;
	machine: Machine;
	/** Of the transaction, in sun. */
	feeLimit?: number;
}

/** What including a contract in a block changes, and what it tells of it. */
type Effect = () => Partial<Outcome> | Promise<Partial<Outcome>>;

/** Checks a contract as the chain does, when it is built and again when it is broadcast. */
export async function checked({ type, value }: Contract, around: Surroundings): Promise<Effect> {
	switch (type) {
		case 'VoteWitnessContract':
			return checkedVote(value, around);
		case 'WitnessCreateContract':
			return checkedCreate(value, around);
		case 'TransferContract':
			return checkedTransfer(value, around);
		case 'FreezeBalanceV2Contract':
			return checkedFreeze(value, around);
		case 'UnfreezeBalanceV2Contract':
			return checkedUnfreeze(value, around);
		case 'TriggerSmartContract':
			return await checkedTrigger(value, around);
	}
}

const mostVotes = 30;

function checkedVote({ owner_address, votes }: VoteValue, around: Surroundings): Effect {
	const { wallet, visible, tools } = around;
	const owner = accountOf(owner_address, visible, tools);
	if (votes.length === 0) throw new ContractFailure('VoteNumber must more than 0');
	if (votes.length > mostVotes) throw new ContractFailure(`MaxVoteNumber more than ${mostVotes}`);
	const cast = new Map<string, number>();
	for (const { vote_address, vote_count } of votes) {
		const witness = accountOf(vote_address, visible, tools);
		if (vote_count <= 0) throw new ContractFailure('vote count must be greater than 0');
		if (!isWitness(wallet, witness)) throw new ContractFailure(`Witness[${witness}] not exists`);
		cast.set(witness, (cast.get(witness) ?? 0) + vote_count);
	}
	const total = votes.reduce((sum, { vote_count }) => sum + vote_count, 0);
	const frozen = powerOf(bookOf(owner, wallet, tools));
	if (total > frozen) {
		const words = `The total number of votes[${total}] is greater than the frozen balance[${frozen}]`;
		throw new ContractFailure(words);
	}
	return () => {
		wallet.votes.set(owner, cast);
		return {};
	};
}

const registrationFee = 9999 * coin;

function checkedCreate({ owner_address, url }: CreateValue, around: Surroundings): Effect {
	const { wallet, visible, tools } = around;
	const owner = accountOf(owner_address, visible, tools);
	if (!visible && !isHex(url)) throw new ContractFailure(`INVALID hex String: "${url}"`);
	const address = visible ? url : Buffer.from(url, 'hex').toString();
	if (!URL.canParse(address) || !/^https?:/.test(address)) throw new ContractFailure('Invalid url');
	if (isWitness(wallet, owner)) throw new ContractFailure(`Witness[${owner}] has existed`);
	if (bookOf(owner, wallet, tools).balance < registrationFee) {
		throw new ContractFailure('balance < AccountUpgradeCost');
	}
	return () => {
		change(owner, wallet, (books) => (books.balance -= registrationFee));
		wallet.witnesses.push(newWitness(owner, address));
		return { fee: registrationFee };
	};
}

const isWitness = ({ witnesses }: WalletState, account: string) =>
	witnesses.some(({ address }) => address === account);

const newAccountFee = coin;

function checkedTransfer(
	{ owner_address, to_address, amount }: TransferValue,
	around: Surroundings,
): Effect {
	const { wallet, visible, tools } = around;
	const owner = accountOf(owner_address, visible, tools);
	const to = accountOf(to_address, visible, tools);
	if (owner === to) throw new ContractFailure('Cannot transfer TRX to yourself.');
	if (amount <= 0) throw new ContractFailure('Amount must be greater than 0.');
	const fee = bookOf(to, wallet, tools).exists ? 0 : newAccountFee;
	if (bookOf(owner, wallet, tools).balance < amount + fee) {
		throw new ContractFailure('Validate TransferContract error, balance is not sufficient.');
	}
	return () => {
		change(owner, wallet, (books) => (books.balance -= amount + fee));
		change(to, wallet, (books) => (books.balance += amount));
		return { fee };
	};
}

function checkedFreeze(
	{ owner_address, frozen_balance, resource = 'BANDWIDTH' }: FreezeValue,
	{ wallet, visible, tools }: Surroundings,
): Effect {
	const owner = accountOf(owner_address, visible, tools);
	if (frozen_balance < coin) {
		throw new ContractFailure('frozenBalance must be greater than or equal to 1 TRX');
	}
	if (frozen_balance > bookOf(owner, wallet, tools).balance) {
		throw new ContractFailure('frozenBalance must be less than or equal to accountBalance');
	}
	return () => {
		change(owner, wallet, (books) => {
			books.balance -= frozen_balance;
			books.frozen[resource] += frozen_balance;
		});
		return {};
	};
}

const unfreezingTime = 14 * 24 * 3_600_000;

function checkedUnfreeze(
	{ owner_address, unfreeze_balance, resource = 'BANDWIDTH' }: UnfreezeValue,
	{ wallet, visible, tools }: Surroundings,
): Effect {
	const owner = accountOf(owner_address, visible, tools);
	const frozen = bookOf(owner, wallet, tools).frozen[resource];
	if (frozen === 0) throw new ContractFailure(`no frozenBalance(${resource})`);
	if (unfreeze_balance <= 0 || unfreeze_balance > frozen) {
		throw new ContractFailure(`Invalid unfreeze_balance, [${unfreeze_balance}] is error`);
	}
	return () => {
		change(owner, wallet, (books) => {
			books.frozen[resource] -= unfreeze_balance;
			books.unfrozen.push({
				unfreeze_amount: unfreeze_balance,
				unfreeze_expire_time: timestampOf(wallet.clock, headOf(wallet.clock)) + unfreezingTime,
				...(resource === 'ENERGY' && { type: resource }),
			});
		});
		dropVotes(owner, wallet, tools);
		return {};
	};
}

/** Votes that nothing frozen stands behind any more do not count. */
function dropVotes(owner: string, wallet: WalletState, tools: Tools): void {
	const cast = [...(wallet.votes.get(owner)?.values() ?? [])].reduce((sum, one) => sum + one, 0);
	if (cast > powerOf(bookOf(owner, wallet, tools))) wallet.votes.delete(owner);
}

async function checkedTrigger(value: TriggerValue, around: Surroundings): Promise<Effect> {
	const { wallet, visible, tools, machine, feeLimit = 0 } = around;
	const { data = '', call_value: callValue = 0 } = value;
	const owner = accountOf(value.owner_address, visible, tools);
	const contract = accountOf(value.contract_address, visible, tools);
	if (!isHex(data)) throw new ContractFailure(`INVALID hex String: "${data}"`);
	if (!(await machine.hasCode(contract))) {
		throw new ContractFailure('No contract or not a valid smart contract');
	}
	if (bookOf(owner, wallet, tools).balance < callValue) {
		throw new ContractFailure('Validate InternalTransfer error, balance is not sufficient.');
	}
	return async () => {
		const outcome = await machine.execute({ owner, contract, data, callValue, feeLimit });
		const { energy_fee: fee, result } = outcome;
		const paid = fee + (result === 'SUCCESS' ? callValue : 0);
		change(owner, wallet, (books) => (books.balance -= paid));
		return { ...outcome, fee };
	};
}
