import { INVOKE_VERSION, type Sliced, type StarkInvoke } from '../../../nodes/core';
import type { StarkLibrary } from './library';

const [AMOUNT_SHIFT, NAME_SHIFT] = [128n, 192n];

/** Encodes a text as a number. */
const encodeName = (text: string) => BigInt(`0x${Buffer.from(text).toString('hex')}`);

const PREFIX = encodeName('invoke');
/** The resources in the order in which they are hashed. */
const HASHED_RESOURCES = [
	['l1_gas', encodeName('L1_GAS')],
	['l2_gas', encodeName('L2_GAS')],
	['l1_data_gas', encodeName('L1_DATA')],
] as const;
/** Nonce and fee are on L1, the only place in use. */
const DATA_AVAILABILITY_MODES = 0n;

/** Computes the hash to sign, in slices. Paymaster data and deployment data are empty. */
export function* computeInvokeHash(
	invoke: StarkInvoke,
	hash: StarkLibrary['hashPoseidon'],
): Sliced<bigint> {
	const { sender, chainId, nonce, tip, calldata, bounds } = invoke;
	const packed = HASHED_RESOURCES.map(([resource, name]) => {
		const { amount, price } = bounds[resource];
		return (name << NAME_SHIFT) | (amount << AMOUNT_SHIFT) | price;
	});
	const empty = yield* hash([]);
	return yield* hash([
		PREFIX,
		INVOKE_VERSION,
		sender,
		yield* hash([tip, ...packed]),
		empty,
		chainId,
		nonce,
		DATA_AVAILABILITY_MODES,
		empty,
		yield* hash(calldata),
	]);
}
