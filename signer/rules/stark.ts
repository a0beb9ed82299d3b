import {
	computeHighestFee,
	decodeShortString,
	encodeFelt,
	FEE_DECIMALS,
	formatBounds,
	formatFelt,
	formatUnits,
	type StarkInvoke,
	FIELD_PRIME,
} from '../../nodes/core';
import type { Effects } from './effects';
import { decodeStarkCall, type StarkCall } from './starkTokenCalls';
import { refuse } from './refusal';

/** Decodes the effects of a transaction of a STARK rollup, with all of its calls. */
export function decodeStarkInvoke(invoke: StarkInvoke): Effects {
	const { bounds, calldata, chainId, nonce, sender, tip } = invoke;
	const own = formatFelt(sender);
	const fee = computeHighestFee(formatBounds(bounds), tip);
	const effects = decodeCalls(calldata).map((call) => decodeStarkCall(own, call));
	return {
		own,
		chain: { id: chainId, wants: `the transaction is for chain ${formatChainId(chainId)}` },
		nonce,
		expiry: undefined,
		coins: undefined,
		fee: {
			amount: fee,
			wants: `the transaction offers a fee of ${formatUnits(fee, FEE_DECIMALS)} STRK`,
		},
		calls: effects.flatMap(({ calls }) => calls),
		moves: effects.flatMap(({ moves }) => moves),
		approvals: effects.flatMap(({ approvals }) => approvals),
	};
}

/** Formats the chain ID as text such as SN_MAIN, or as hex if it is no text. */
export function formatChainId(id: bigint): string {
	return decodeShortString(id) ?? encodeFelt(id);
}

/**
 * Decodes the calls in the encoding of Cairo 1 and later. Calldata that is also valid in the older encoding is refused, because the
 * account's version is not known here.
 */
export function decodeCalls(calldata: readonly bigint[]): readonly StarkCall[] {
	const calls = tryDecodeCalls(calldata);
	if (!calls || calls.length === 0) {
		return refuse(
			"The rules can't be checked: the calldata is no list of calls as accounts of Cairo 1 and later take it",
			'Prepare it by Chain STARK. Accounts of Cairo 0 are not signed for.',
		);
	}
	if (isOlderLayout(calldata)) {
		refuse(
			"The rules can't be checked: an account of Cairo 0 would read other calls out of the calldata than a newer one",
			'Make the calls in two transactions.',
		);
	}
	return calls;
}

const HEAD_FELTS = 3;

/** Decodes the calls. Each consists of a contract, a selector, the length of its data and the data. Undefined if anything follows. */
function tryDecodeCalls(calldata: readonly bigint[]): readonly StarkCall[] | undefined {
	const calls: StarkCall[] = [];
	let at = 1;
	while (at < calldata.length) {
		const [to, selector, length] = calldata.slice(at, at + HEAD_FELTS);
		if (to === undefined || selector === undefined || length === undefined) return undefined;
		const start = at + HEAD_FELTS;
		if (length > BigInt(calldata.length - start)) return undefined;
		at = start + Number(length);
		calls.push({ to: formatFelt(to), selector, calldata: calldata.slice(start, at) });
	}
	return calldata[0] === BigInt(calls.length) ? calls : undefined;
}

const OLDER_HEAD_FELTS = 4;

/**
 * Whether older accounts could read the calldata. Each call in it has a contract, a selector, an offset and a length; all data follow
 * together.
 */
function isOlderLayout(calldata: readonly bigint[]): boolean {
	const [count = 0n] = calldata;
	// A single call is of the same function in both layouts, and its data would begin behind the end.
	if (count === 1n) return false;
	const end = 1n + BigInt(OLDER_HEAD_FELTS) * count;
	const total = end < calldata.length ? calldata[Number(end)] : undefined;
	if (total === undefined || total !== BigInt(calldata.length) - end - 1n) return false;
	for (let at = 1; at < end; at += OLDER_HEAD_FELTS) {
		const [, , offset = 0n, length = 0n] = calldata.slice(at, at + OLDER_HEAD_FELTS);
		if (length > 0n && signOffset(offset, calldata.length) + length > total) return false;
	}
	return true;
}

/** Turns an offset just below the prime into a negative number: older accounts add offsets modulo the prime. */
function signOffset(offset: bigint, feltCount: number): bigint {
	return offset < FIELD_PRIME - BigInt(feltCount) ? offset : offset - FIELD_PRIME;
}
