import { accountOf, ContractFailure, isHex } from './accounts.mts';
import type { WalletState } from './state.mts';
import type { Tools } from './tools.mts';
import { newWitness } from './witnesses.mts';

export interface VoteValue {
	owner_address: string;
	votes: { vote_address: string; vote_count: number }[];
}

export interface CreateValue {
	owner_address: string;
	url: string;
}

export type Contract =
	| { type: 'VoteWitnessContract'; value: VoteValue }
	| { type: 'WitnessCreateContract'; value: CreateValue };

export interface Surroundings {
	wallet: WalletState;
	visible: boolean;
	tools: Tools;
}

/** What including a contract in a block changes. */
type Effect = () => void;

/** Checks a contract as the chain does, when it is built and again when it is broadcast. */
export const checked = ({ type, value }: Contract, around: Surroundings): Effect =>
	type === 'VoteWitnessContract' ? checkedVote(value, around) : checkedCreate(value, around);

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
	const frozen = frozenBy(owner, around);
	if (total > frozen) {
		const words = `The total number of votes[${total}] is greater than the frozen balance[${frozen}]`;
		throw new ContractFailure(words);
	}
	return () => wallet.votes.set(owner, cast);
}

function checkedCreate({ owner_address, url }: CreateValue, around: Surroundings): Effect {
	const { wallet, visible, tools } = around;
	const owner = accountOf(owner_address, visible, tools);
	if (!visible && !isHex(url)) throw new ContractFailure(`INVALID hex String: "${url}"`);
	const address = visible ? url : Buffer.from(url, 'hex').toString();
	if (!URL.canParse(address) || !/^https?:/.test(address)) throw new ContractFailure('Invalid url');
	if (isWitness(wallet, owner)) throw new ContractFailure(`Witness[${owner}] has existed`);
	return () => wallet.witnesses.push(newWitness(owner, address));
}

const isWitness = ({ witnesses }: WalletState, account: string) =>
	witnesses.some(({ address }) => address === account);

function frozenBy(owner: string, { wallet, tools }: Surroundings): number {
	const { frozen, defaultFrozen } = wallet.settings;
	return frozen[owner] ?? frozen[tools.utils.address.fromHex(owner)] ?? defaultFrozen;
}
