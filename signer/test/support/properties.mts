import fc from 'fast-check';
import { privateKeyToAccount } from 'viem/accounts';
import * as keys from '../../library/keys.mts';
import { evmTransactionParser } from '../../../nodes/core';
import { buildAllowedTransaction } from '../../nodes/core/secp256k1Signer';
import type { Secp256k1Rules } from '../../rules/rules';
import { KEY } from './accounts.mts';
import { getSeed, TRIES_ALL } from '../../../test/harness/caseCount.mts';

/** The number of cases for each property of the signer. */
export const CASES = TRIES_ALL ? 20_000 : 100;
jest.setTimeout(Math.max(120_000, 60 * CASES));
fc.configureGlobal({ seed: getSeed(20261124), numRuns: CASES });
// Stack traces are off: most cases are refused, and traces would take half of the time of a refusal.
Error.stackTraceLimit = 0;

export { keys };
export const key = keys.createKey(Buffer.from(KEY.slice(2), 'hex'))!;

/**
 * The account in viem. Its signatures are compared, which takes a third of the time of recovering the signer. The same input always gives
 * the same signature.
 */
export const account = privateKeyToAccount(KEY);

/** Returns what is signed; undefined where it is refused. Anything but a refusal in words is a failure. */
export function attempt<T>(sign: () => T): T | undefined {
	try {
		return sign();
	} catch (error) {
		if (!REFUSAL.test((error as Error).message)) throw error;
		return undefined;
	}
}

const REFUSAL =
	/^(The rule|The (transaction|transfer|send mode)|The owner of|The remote signer|The \w+ (is about|can be used)|'(Transaction|Typed Data|unsignedTransaction|signingHash)|a transaction|one transaction|must be|what its|.*(such as|at most|as Prepare gives it|whose|without|with|number|JSON))/;

const parse = evmTransactionParser('Transaction');

/** Returns the unsigned transaction if the rules allow it. */
export const allowTransaction = (given: object, rules: Secp256k1Rules) =>
	attempt(() => buildAllowedTransaction(keys, rules, key.account, parse(JSON.stringify(given))));

/** Expects that some cases are signed and some are refused. Otherwise the test would prove little. */
export function createTally() {
	const tally = { signed: 0, refused: 0 };
	afterAll(() => {
		expect(tally.signed).toBeGreaterThan(CASES / 50);
		expect(tally.refused).toBeGreaterThan(CASES / 50);
	});
	return (isSigned: boolean) => void (isSigned ? tally.signed++ : tally.refused++);
}

/** Compares the values before it calls jest, because jest takes longer for its messages than most cases take. */
export function expectSame(got: unknown, wanted: unknown, about: unknown): void {
	if (got !== wanted) expect([about, got]).toEqual([about, wanted]);
}

/** Returns the number that a careful reader expects. Returns undefined if the input is unclear. */
export function readNumber(given: unknown): bigint | undefined {
	if (typeof given === 'number')
		return Number.isSafeInteger(given) && given >= 0 ? BigInt(given) : undefined;
	const text = typeof given === 'string' ? given.trim() : '';
	return /^(\d+|0x[\da-f]+)$/i.test(text) ? BigInt(text.toLowerCase()) : undefined;
}
