import { TronWeb } from 'tronweb';
import { parseBuiltAnswer, verifyBuilt } from '../../../nodes/core/witness/prepare/built';
import type { RequestFailure } from '../../../nodes/core/errors/requestFailure';

const NOW = Date.parse('2026-11-23T12:00:00.000Z');
const MINUTE = 60_000;
const OWNER = `41${'1'.repeat(40)}`;
const RECEIVER = `41${'2'.repeat(40)}`;
const ASKED = {
	contract: 'TransferContract',
	parameters: { owner_address: OWNER, to_address: RECEIVER, amount: 5n },
} as const;

const { transactionBuilder } = new TronWeb({ fullHost: 'http://127.0.0.1:1' });

interface Additions {
	readonly expiration?: number;
	readonly permissionId?: number;
	readonly memo?: string;
}

/** Builds a transfer with tronweb, with the given additions. The bytes of the transfer match its JSON. */
async function build({ expiration = NOW + MINUTE, permissionId, memo }: Additions = {}) {
	const blockHeader = {
		ref_block_bytes: '0001',
		ref_block_hash: '0000000000000001',
		expiration,
		timestamp: NOW,
	};
	const options = { blockHeader, permissionId };
	const built = await transactionBuilder.sendTrx(RECEIVER, 5, OWNER, options as never);
	if (memo === undefined) return built;
	return await transactionBuilder.addUpdateData(built, memo, 'utf8', { txLocal: true });
}

/** Returns the failure of a built transaction, or undefined if it is accepted. The clock stands still. */
async function failureOf(additions: Additions): Promise<RequestFailure | undefined> {
	jest.spyOn(Date, 'now').mockReturnValue(NOW);
	try {
		verifyBuilt(parseBuiltAnswer(await build(additions)), ASKED);
		return undefined;
	} catch (failure) {
		return failure as RequestFailure;
	}
}

afterEach(() => jest.restoreAllMocks());

test.each<[Additions, RegExp]>([
	[{ permissionId: 2 }, /Permission_id is 2, not 0/],
	[{ memo: 'order 7' }, /memo is "6f726465722037", not ""/],
	[{ memo: '\u202eΩ ☂️\u0000' }, /memo is "e280aecea9/],
	[{ memo: '☂'.repeat(70_000) }, /memo is "(e29882)+.*…/],
])('members of bytes and JSON that were not asked for are refused: %#', async (more, words) => {
	const failure = await failureOf(more);
	expect(failure?.message).toMatch(words);
	expect(failure?.message.length).toBeLessThan(300);
});

test.each<[what: string, expiration: number, words: RegExp | undefined]>([
	['a minute', NOW + MINUTE, undefined],
	['60 minutes', NOW + 60 * MINUTE, undefined],
	['a moment more', NOW + 60 * MINUTE + 1, /is valid for more than 60 minutes/],
	['10 minutes before now', NOW - 10 * MINUTE, undefined],
	['a moment before that', NOW - 10 * MINUTE - 1, /has expired already/],
	['a time that is no date', 9e15, /until 9000000000000000 ms after 1970/],
])('until %s', async (_, expiration, words) => {
	const failure = await failureOf({ expiration });
	if (words) expect(failure?.message).toMatch(words);
	else expect(failure).toBeUndefined();
});

test('one that holds for years could be broadcast after another one has taken its place', async () => {
	const failure = await failureOf({ expiration: Date.parse('2036-11-23T12:00:00.000Z') });
	expect(failure?.message).toBe(
		'The chain node built a transaction that is valid for more than 60 minutes: it could be broadcast until 2036-11-23T12:00:00.000Z, and the clock of this machine says 2026-11-23T12:00:00.000Z',
	);
	expect(failure?.description).toMatch(
		/^Do not sign it\. .* If the clock of this machine is wrong, correct the clock instead/,
	);
});

test('one that has expired is of a node behind its chain, or the clock is wrong', async () => {
	const failure = await failureOf({ expiration: NOW - 11 * MINUTE });
	expect(failure?.message).toBe(
		'The chain node built a transaction that has expired already: it could be broadcast until 2026-11-23T11:49:00.000Z, and the clock of this machine says 2026-11-23T12:00:00.000Z',
	);
	expect(failure?.description).toMatch(
		/^The chain node is behind its chain, .* If the clock of this machine is wrong, correct the clock instead/,
	);
});
