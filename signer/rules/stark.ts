import {
	computeHighestFee,
	decodeShortString,
	encodeFelt,
	FEE_DECIMALS,
	formatBounds,
	formatFelt,
	formatUnits,
	type StarkInvoke,
} from '../../nodes/core';
import type { Effects } from './effects';
import { decodeCalls } from './starkCalls';
import { decodeStarkCall } from './starkTokenCalls';

/** Decodes what a transaction of a STARK rollup does, by all of its calls. */
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

/** Formats the ID as its owner writes it. */
export function formatChainId(id: bigint): string {
	return decodeShortString(id) ?? encodeFelt(id);
}
