import { createHash } from 'node:crypto';
import type { TronWeb } from './tools.mts';

export interface Witness {
	/** 21 bytes in hex. */
	address: string;
	voteCount: number;
	url: string;
	totalProduced: number;
	totalMissed: number;
	latestBlockNum: number;
	latestSlotNum: number;
	isJobs: boolean;
}

const BLOCK_PRODUCERS = 27;

/** THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC, a well-known one for tests of the checksum. */
const LEADER_ADDRESS = '41517591d35d313bf6a5e33098284502b045e2bc08';

/** Always the same 32; the last has no votes, and every eighth has missed nothing. */
export const createWitnesses = (): Witness[] =>
	Array.from({ length: 32 }, (_, index) => {
		const produces = index < BLOCK_PRODUCERS;
		return {
			address: index === 0 ? LEADER_ADDRESS : `41${hashText(`witness ${index}`).slice(0, 40)}`,
			voteCount: (31 - index) * 25_000_003,
			url: `https://witness-${index + 1}.example.com`,
			totalProduced: produces ? 2_400_000 - index * 1001 : 0,
			totalMissed: index % 8 === 0 ? 0 : index * 7,
			latestBlockNum: produces ? 70_000_000 + index : 0,
			latestSlotNum: produces ? 580_000_000 + index : 0,
			isJobs: produces,
		};
	});

/** The votes of an owner, by witness; both in hex. */
export type Votes = Map<string, Map<string, number>>;

export const createWitness = (address: string, url: string): Witness => ({
	address,
	voteCount: 0,
	url,
	totalProduced: 0,
	totalMissed: 0,
	latestBlockNum: 0,
	latestSlotNum: 0,
	isJobs: false,
});

/** As the chain prints them: votes counted, fields that are zero or false left out. */
export const formatWitnesses = (
	{ witnesses, votes }: { witnesses: readonly Witness[]; votes: Votes },
	visible: boolean,
	tools: TronWeb,
) =>
	witnesses.map((witness) => {
		const { address } = witness;
		const cast = [...votes.values()].reduce((sum, own) => sum + (own.get(address) ?? 0), 0);
		const fields = Object.entries({ ...witness, voteCount: witness.voteCount + cast });
		const shown = visible ? tools.utils.address.fromHex(address) : address;
		return { ...Object.fromEntries(fields.filter(([, value]) => value)), address: shown };
	});

const hashText = (text: string) => createHash('sha256').update(text).digest('hex');
