import type { WalletState } from './state.mts';
import { accountOf, ContractFailure, type Tron } from './tron.mts';
import { newWitness } from './witnesses.mts';

export interface VoteValue {
	owner_address: string;
	votes: { vote_address: string; vote_count: number }[];
}

export interface CreateValue {
	owner_address: string;
	url: string;
}

export interface Surroundings {
	wallet: WalletState;
	visible: boolean;
	tron: Tron;
}

/** A contract that the chain would accept. */
export interface Checked {
	owner: string;
	/** What including it in a block changes. */
	include: () => void;
}

const mostVotes = 30;

export function checkVote({ owner_address, votes }: VoteValue, around: Surroundings): Checked {
	const { wallet, visible, tron } = around;
	const owner = accountOf(owner_address, visible, tron);
	if (votes.length === 0) throw new ContractFailure('VoteNumber must more than 0');
	if (votes.length > mostVotes) throw new ContractFailure(`MaxVoteNumber more than ${mostVotes}`);
	const cast = new Map<string, number>();
	for (const { vote_address, vote_count } of votes) {
		const witness = accountOf(vote_address, visible, tron);
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
	return { owner, include: () => wallet.votes.set(owner, cast) };
}

export function checkCreate({ owner_address, url }: CreateValue, around: Surroundings): Checked {
	const { wallet, visible, tron } = around;
	const owner = accountOf(owner_address, visible, tron);
	const address = visible ? url : fromHex(url);
	if (!URL.canParse(address) || !/^https?:/.test(address)) throw new ContractFailure('Invalid url');
	if (isWitness(wallet, owner)) throw new ContractFailure(`Witness[${owner}] has existed`);
	return { owner, include: () => wallet.witnesses.push(newWitness(owner, address)) };
}

const isWitness = ({ witnesses }: WalletState, account: string) =>
	witnesses.some(({ address }) => address === account);

function frozenBy(owner: string, { wallet, tron }: Surroundings): number {
	const { frozen, defaultFrozen } = wallet.settings;
	return frozen[owner] ?? frozen[tron.utils.address.fromHex(owner)] ?? defaultFrozen;
}

function fromHex(text: string): string {
	if (/^([0-9a-f]{2})*$/i.test(text)) return Buffer.from(text, 'hex').toString();
	throw new ContractFailure(`INVALID hex String: "${text}"`);
}
