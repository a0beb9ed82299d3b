import { formatTokenAmount, type TokenFacts } from '../../chain/tokens';
import { Pauses } from '../../net/pacing/slices';
import { ETHER_DECIMALS } from '../../values/units';
import { checksumAddress, ZERO_ADDRESS } from '../address';
import type { ChangeKind, AssetMove } from './assets';
import { askBalance, findAddresses, findNumbers, type Answers, type Holding } from './reads';

/** How much of an asset an account gains by the transaction. A loss is below 0. */
export interface Change {
	readonly account: string;
	readonly kind: ChangeKind;
	readonly token: string | null;
	readonly symbol: string | null;
	readonly decimals: number | null;
	readonly id: string | null;
	readonly value: string;
	readonly amount: string | null;
}

export type FactsOf = (token: string) => TokenFacts;

/** Sums up the transfers that events report, for each account and asset. */
export function sumMoves(moves: readonly AssetMove[]): ReadonlyMap<string, Sum> {
	const sums = new Map<string, Sum>();
	const add = (account: string, { kind, token, id }: AssetMove, value: bigint) => {
		const holding = { kind, token, id, account };
		const key = getHoldingKey(holding);
		sums.set(key, { ...holding, value: (sums.get(key)?.value ?? 0n) + value });
	};
	for (const move of moves) {
		add(move.from, move, -move.value);
		add(move.to, move, move.value);
	}
	return sums;
}

export interface Sum extends Holding {
	readonly value: bigint;
}

export function getHoldingKey({ kind, token, id, account }: Holding): string {
	return `${kind} ${token} ${id} ${account}`;
}

/** Computes the changes of accounts: by their balances if they could be read, or else by events. */
export async function computeChanges(
	holdings: readonly Holding[],
	moves: readonly AssetMove[],
	answers: Answers,
): Promise<Sum[]> {
	const sums = sumMoves(moves);
	const pauses = new Pauses();
	const changes = new Map<string, Sum>();
	for (const holding of holdings) {
		for (const change of computeHolding(holding, sums, answers))
			changes.set(getHoldingKey(change), change);
		await pauses.takeIfDue();
	}
	return [...changes.values()].filter(
		({ account, value }) => value !== 0n && account !== ZERO_ADDRESS,
	);
}

function computeHolding(
	holding: Holding,
	sums: ReadonlyMap<string, Sum>,
	answers: Answers,
): readonly Sum[] {
	const question = askBalance(holding);
	if (holding.kind === 'erc721') {
		const owners = findAddresses(answers, question);
		if (owners) return computeOwners(holding, owners);
	} else {
		const balances = findNumbers(answers, question);
		if (balances) return [{ ...holding, value: balances.after - balances.before }];
	}
	const told = sums.get(getHoldingKey(holding));
	return told ? [told] : [];
}

function computeOwners(
	holding: Holding,
	owners: { before: string; after: string },
): readonly Sum[] {
	const { before, after } = owners;
	if (before === after) return [];
	return [
		{ ...holding, account: before, value: -1n },
		{ ...holding, account: after, value: 1n },
	];
}

export function formatChange({ account, kind, token, id, value }: Sum, factsOf: FactsOf): Change {
	const isNft = kind === 'erc721' || kind === 'erc1155';
	const facts = token === null ? { symbol: null, decimals: ETHER_DECIMALS } : factsOf(token);
	const { symbol, decimals } = isNft ? { ...facts, decimals: null } : facts;
	return {
		account: checksumAddress(account),
		kind,
		token: token === null ? null : checksumAddress(token),
		symbol,
		decimals,
		id,
		value: value.toString(),
		amount: isNft ? value.toString() : formatTokenAmount(value, { decimals }),
	};
}
