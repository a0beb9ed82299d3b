import type { RestCaller, RestReader } from '../chain/reader';
import { invalidResponseError } from '../net/responses/response';
import { isRecord, rethrow } from '../values/parse';
import { readResources } from './accounts';
import { isNotServed, throwIfError } from './answers';
import {
	buildCallBody,
	callConstant,
	ZERO_ADDRESS,
	type ConstantCall,
	type ConstantOutcome,
} from './constantCall';
import { raise } from '../errors/raise';
import { sharedKey } from '../net/pacing/shared';

/** Whether the node can estimate energy. Most nodes do not offer this method. */
const ENERGY_ESTIMATOR = sharedKey('witness.energyEstimator', () => ({ isServed: true }));

/**
 * Reads the energy that a contract call needs. The node's estimate is enough for a transaction not to run out of
 * energy. If the node offers no estimate, the energy that the simulated call used is returned. A call that fails is
 * refused with its reason.
 */
export async function readEnergyOfCall(reader: RestReader, given: ConstantCall): Promise<bigint> {
	return (await tryCall(reader, given)).energy;
}

interface TriedCall extends ConstantOutcome {
	readonly energy: bigint;
}

/** Runs a call, and also returns the energy that it takes. */
export async function tryCall(reader: RestReader, given: ConstantCall): Promise<TriedCall> {
	const trying = callConstant(reader, given);
	const estimating = estimateEnergy(reader, given).catch(async (failure) => {
		// The call itself says more about a failure than the estimate, so its error is thrown first.
		await trying;
		return rethrow(failure);
	});
	const [outcome, estimated] = await Promise.all([trying, estimating]);
	return { ...outcome, energy: estimated ?? BigInt(outcome.energyUsed) };
}

/** Asks the node for an estimate. Returns undefined if the node does not offer estimates. */
async function estimateEnergy(
	reader: RestReader,
	given: ConstantCall,
): Promise<bigint | undefined> {
	const estimator = reader.shared(ENERGY_ESTIMATOR);
	if (!estimator.isServed) return undefined;
	const request = { path: '/wallet/estimateenergy', body: buildCallBody(given) };
	const answer = await reader
		.call(request)
		.then(throwIfError)
		.catch((failure: unknown) => {
			if (!isNotServed(failure)) return rethrow(failure);
			estimator.isServed = false;
			return undefined;
		});
	if (answer === undefined) return undefined;
	const energy = isRecord(answer) ? answer.energy_required : undefined;
	return parseWhole(energy) ?? raise(invalidResponseError('an amount of energy', answer));
}

/** Reads the energy that an account has left. The account that belongs to nobody has none. */
export async function readOwnEnergy(reader: RestCaller, owner: string): Promise<bigint> {
	if (owner === ZERO_ADDRESS) return 0n;
	return (await readResources(reader, { address: owner, visible: false })).energy;
}

/** Parses a whole number of 0 or more. Returns undefined for anything else. */
function parseWhole(value: unknown): bigint | undefined {
	return Number.isSafeInteger(value) && Number(value) >= 0 ? BigInt(Number(value)) : undefined;
}
