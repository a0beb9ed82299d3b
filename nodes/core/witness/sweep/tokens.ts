import { sumArrival, type TokenPayment } from '../../chain/arrival';
import { RequestFailure } from '../../errors/requestFailure';
import { readAccount, readResources } from '../accounts';
import type { ConstantOutcome } from '../constantCall';
import { tryCall } from '../energy';
import { listMovedTokens } from '../paidTokens';
import { computeByteFee } from '../prepare/fees';
import { buildPayment, buildTransferCall } from '../prepare/prepare';
import { readPricesOnce } from '../prices';
import { readCallerEnergy } from '../sharedEnergy';
import { takeBuilt } from '../unsigned';
import {
	formatTurn,
	isLate,
	makeSweepMark,
	writeAccount,
	type Sweeping,
	type WitnessSweep,
} from './sweeping';

interface TokenSweeping extends Sweeping {
	readonly token: string;
}

/**
 * Prepares the transfer of all tokens. The fee is paid from the energy and coins of the address, and from energy that
 * others have delegated to it.
 */
export async function prepareTokens(
	sweeping: TokenSweeping,
	from: string,
	value: bigint,
): Promise<WitnessSweep> {
	const { reader, destination, token } = sweeping;
	const transfer = { token, from, to: destination, value };
	const call = buildTransferCall(transfer);
	const [{ balance, ...account }, resources, priceOf, tried] = await Promise.all([
		readAccount(reader, writeAccount(from)),
		readResources(reader, writeAccount(from)),
		readPricesOnce(reader),
		tryCall(reader, call),
	]);
	checkMoves(tried, transfer);
	const turn = formatTurn(account);
	const price = priceOf('energy');
	const energy = await readCallerEnergy(reader, call.contract, tried.energy);
	const most = addBuffer(energy);
	const payment = { ...transfer, mark: makeSweepMark(turn) };
	const built = await buildPayment(reader, payment, most * price);
	const byteFee = computeByteFee(built.raw_data_hex, resources, priceOf);
	const computeFee = (units: bigint) => {
		const bought = units - resources.energy;
		return (bought > 0n ? bought * price : 0n) + byteFee;
	};
	const missing = balance < computeFee(energy) ? computeFee(most) - balance : 0n;
	const unsigned = takeBuilt(built);
	return {
		value,
		unsigned,
		missing,
		turn,
		renew: async () => {
			if (missing === 0n && !isLate(unsigned)) return unsigned;
			const again = await prepareTokens(sweeping, from, value);
			return again.missing === 0n ? again.unsigned : throwUnfunded();
		},
	};
}

/**
 * The percentage that is added to a call's energy as a reserve. If the call needs less energy, the coins for the rest
 * stay on the address for its next fee.
 */
const BUFFER_PERCENT = 10n;

function addBuffer(energy: bigint): bigint {
	return (energy * (100n + BUFFER_PERCENT) + 99n) / 100n;
}

const FALSE_WORD = `0x${'0'.repeat(64)}`;

/**
 * Throws if a token transfer would move nothing. The largest stablecoin always returns false, so the logs of the call
 * decide.
 */
function checkMoves({ result, logs }: ConstantOutcome, transfer: TokenPayment): void {
	if (result !== FALSE_WORD) return;
	if (sumArrival(transfer, listMovedTokens({ log: logs })).arrived > 0n) return;
	throw new RequestFailure(
		'The transaction would fail: the token returns false, and its logs show no transfer',
	);
}

function throwUnfunded(): never {
	throw new RequestFailure('The address has too few coins for the fee');
}
