import { InvalidInput } from '../../../core/errors/invalidInput';
import { readFees } from '../../../core/evm/fees';
import { quantityParser } from '../../../core/evm/objects';
import type { GasPrice } from '../../../core/evm/transactions/unsigned';
import { MAX_UINT256 } from '../../../core/values/numbers';
import { throwInvalidResponse } from '../../../core/transport/responses/response';
import type { Chain } from '../../../core/transport/rpc/chain';

type Speed = 'slow' | 'normal' | 'fast';

/** What the user fixed in the options. */
interface FixedFees {
	readonly gasPrice?: bigint;
	readonly maxFeePerGas?: bigint;
	readonly maxPriorityFeePerGas?: bigint;
}

/** The base fee may double before a transaction no longer fits, which takes six full blocks. */
const BASE_FEE_FACTOR = 2n;
/** On a chain without a base fee, a fast transaction pays a tenth more than the node advises. */
const GAS_PRICE_PERCENT = { slow: 100n, normal: 100n, fast: 110n } as const;

/** What a unit of gas may cost: what the last blocks paid, unless the user fixed it. */
export async function chooseGasPrice(
	chain: Chain,
	speed: Speed,
	fixed: FixedFees,
): Promise<GasPrice> {
	const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = fixed;
	if (gasPrice !== undefined) return { gasPrice };
	const fees = await readFees(chain);
	if (!fees.baseFee) {
		if (maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined) return throwNoBaseFee();
		return { gasPrice: (BigInt(fees.gasPrice.wei) * GAS_PRICE_PERCENT[speed]) / 100n };
	}
	const usual =
		maxPriorityFeePerGas ?? (fees[speed] ? BigInt(fees[speed].wei) : await readPriorityFee(chain));
	const highest = maxFeePerGas ?? BigInt(fees.baseFee.wei) * BASE_FEE_FACTOR + usual;
	if (highest > MAX_UINT256) return throwInvalidResponse('fees that a transaction can hold', fees);
	return { maxFeePerGas: highest, maxPriorityFeePerGas: usual < highest ? usual : highest };
}

export function checkFixedFees({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: FixedFees): void {
	if (gasPrice !== undefined && (maxFeePerGas ?? maxPriorityFeePerGas) !== undefined) {
		throw new InvalidInput(
			"'Options > Gas Price' must be empty where 'Max Fee Per Gas' or 'Max Priority Fee Per Gas' is set",
			'A transaction has either one gas price or the two fees of EIP-1559.',
		);
	}
	if (maxFeePerGas !== undefined && (maxPriorityFeePerGas ?? 0n) > maxFeePerGas) {
		throw new InvalidInput(
			"'Options > Max Priority Fee Per Gas' must be at most 'Max Fee Per Gas'",
			'The priority fee is a part of the highest fee.',
		);
	}
}

async function readPriorityFee(chain: Chain): Promise<bigint> {
	return quantityParser('a priority fee')(await chain.call('eth_maxPriorityFeePerGas', []));
}

function throwNoBaseFee(): never {
	throw new InvalidInput(
		"'Options > Gas Price' must be used on this chain, which has no base fee",
		"Remove 'Max Fee Per Gas' and 'Max Priority Fee Per Gas'.",
	);
}
