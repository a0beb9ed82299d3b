import { toNano } from '@ton/core';

/** This file reads the sentence about the worst case on TON without knowing the rules. */

export interface SaidOfTon {
	/** The wallet that is signed for. */
	readonly kind: string;
	/** The highest loss of the wallet in a day, in nanocoins. Undefined if the worst case is the loss of all coins. */
	readonly aDay: bigint | undefined;
	/** The most that leaves it by one signature. */
	readonly atATime: bigint | undefined;
	readonly others: readonly SaidOfOthers[];
}

/** What the sentence says about other wallets of the key. */
interface SaidOfOthers {
	/** Their names in `KEY_WALLETS`. */
	readonly names: RegExp;
	/** The highest loss of each of these wallets in a day, in nanocoins. Undefined if they may lose all coins. */
	readonly aDay: bigint | undefined;
	/** Whether they take each signature once. */
	readonly isOnce: boolean;
}

const NUMBER = String.raw`([\d.]*\d)`;
const EACH = `sends (?:no coins|at most ${NUMBER}) and costs a fee of at most ${NUMBER}`;
const A_DAY = new RegExp(
	`spend ${NUMBER} coins? a day of the (\\w+) wallet: (?:one|each of (\\d+)) transactions? ${EACH}`,
);
const AT_A_TIME = new RegExp(`spend all coins of the (\\w+) wallet: each transaction ${EACH}`);
const AT_ONCE = /spend all coins of the (\w+) wallet at once/;

/** Reads the figures of the sentence. Throws if the sentence does not say what can be lost. */
export function readTonSentence(sentence: string): SaidOfTon {
	const coins = readCoins(sentence);
	return { ...coins, others: [...readOthers(sentence, coins.aDay)] };
}

function readCoins(sentence: string): Omit<SaidOfTon, 'others'> {
	const [, total = '', kind = '', daily = '1', amount = '0', fee = ''] = A_DAY.exec(sentence) ?? [];
	if (kind !== '') {
		const atATime = toNano(amount) + toNano(fee);
		if (BigInt(daily) * atATime !== toNano(total)) throw new Error(`It can't count: ${sentence}`);
		return { kind, atATime, aDay: toNano(total) };
	}
	const [, one, most = '0', mostFee = ''] = AT_A_TIME.exec(sentence) ?? [];
	if (one) return { kind: one, atATime: toNano(most) + toNano(mostFee), aDay: undefined };
	const [, all] = AT_ONCE.exec(sentence) ?? [];
	if (!all) throw new Error(`It says nothing about coins: ${sentence}`);
	return { kind: all, atATime: undefined, aDay: undefined };
}

function* readOthers(sentence: string, aDay: bigint | undefined): Generator<SaidOfOthers> {
	const clauses = sentence.split('. This person can ');
	if (clauses.some((one) => /all coins of .*masterchain/.test(one)))
		yield { names: /MasterSameId$/, aDay: undefined, isOnce: true };
	if (sentence.includes('all coins of the v3 wallets of this key'))
		yield { names: /^v3/, aDay: undefined, isOnce: false };
	if (/same amount again from the v5r1 wallet .* test network/.test(sentence))
		yield { names: /^v5r1Test$/, aDay, isOnce: true };
	if (sentence.includes('same amount again from a v3r1 wallet'))
		yield { names: /^v3r1$/, aDay, isOnce: true };
	const fees = /spend (all|[\d.]+) coins? (?:a day )?of the v4 wallets of this key on fees/.exec(
		sentence,
	)?.[1];
	if (fees !== undefined)
		yield { names: /^v4r2$/, aDay: fees === 'all' ? undefined : toNano(fees), isOnce: true };
}
