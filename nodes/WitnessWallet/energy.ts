import { throwInvalidResponse } from '../core/net/responses/response';
import { readOnce } from '../core/net/pacing/once';
import { isRecord, rethrow } from '../core/values/parse';
import { isNotServed, throwIfError } from '../core/witness/answers';
import {
	buildCallBody,
	callConstant,
	ZERO_ADDRESS,
	type ConstantCall,
} from '../core/witness/constantCall';
import type { RestReader } from '../core/chain/reader';

/** Whether the node estimates by itself, which is off by default. */
const createEstimator = () => ({ isServed: true });

/**
 * The energy that a call takes: by the node's estimate, which is what a transaction needs so as not to run out of it; where
 * the node has none, by what the call used when it was run. A call that fails is refused with its reason.
 */
export async function readEnergyOfCall(context: RestReader, given: ConstantCall): Promise<bigint> {
	const trying = callConstant(context, given);
	const estimating = estimateEnergy(context, given).catch(async (failure) => {
		// The node's estimate says less of a failure than the call itself.
		await trying;
		return rethrow(failure);
	});
	const [{ energyUsed }, estimated] = await Promise.all([trying, estimating]);
	return estimated ?? BigInt(energyUsed);
}

/** Returns undefined where the node does not estimate. */
async function estimateEnergy(
	context: RestReader,
	given: ConstantCall,
): Promise<bigint | undefined> {
	const estimator = context.shared(createEstimator);
	if (!estimator.isServed) return undefined;
	const request = { path: '/wallet/estimateenergy', body: buildCallBody(given) };
	const answer = await context
		.call(request)
		.then(throwIfError)
		.catch((failure: unknown) => {
			if (!isNotServed(failure)) return rethrow(failure);
			estimator.isServed = false;
			return undefined;
		});
	if (answer === undefined) return undefined;
	const energy = isRecord(answer) ? answer.energy_required : undefined;
	return parseWhole(energy) ?? throwInvalidResponse('an amount of energy', answer);
}

/** The energy that the account has left; an account that is nobody's has none. */
export async function readOwnEnergy({ call }: RestReader, owner: string): Promise<bigint> {
	if (owner === ZERO_ADDRESS) return 0n;
	const body = { address: owner, visible: false };
	const answer = throwIfError(await call({ path: '/wallet/getaccountresource', body }));
	if (!isRecord(answer)) return throwInvalidResponse('the energy of an account', answer);
	const { EnergyLimit: most = 0, EnergyUsed: used = 0 } = answer;
	const [limit, spent] = [parseWhole(most), parseWhole(used)];
	if (limit === undefined || spent === undefined)
		return throwInvalidResponse('the energy of an account', answer);
	// What others freeze takes from a limit, which may then be below what was used.
	return limit > spent ? limit - spent : 0n;
}

const createPriceReads = () => new Map<'energy', Promise<bigint>>();

/** Reads the price of a unit of energy, in sun. It is read once in a run, and again after a failure. */
export async function readEnergyPriceOnce(context: RestReader): Promise<bigint> {
	const read = async () => await readEnergyPrice(context);
	return await readOnce(context.shared(createPriceReads), 'energy', read);
}

const ENERGY_PRICE_KEY = 'getEnergyFee';

async function readEnergyPrice({ call }: RestReader): Promise<bigint> {
	const answer = throwIfError(await call({ path: '/wallet/getchainparameters', body: {} }));
	const rows: readonly unknown[] =
		isRecord(answer) && Array.isArray(answer.chainParameter) ? answer.chainParameter : [];
	const found = rows.filter(isRecord).find(({ key }) => key === ENERGY_PRICE_KEY);
	// The chain leaves out zeros.
	const price = found && parseWhole(found.value ?? 0);
	return price ?? throwInvalidResponse('the price of energy', answer);
}

/** A whole number of 0 or more; undefined for anything else. */
function parseWhole(value: unknown): bigint | undefined {
	return Number.isSafeInteger(value) && Number(value) >= 0 ? BigInt(Number(value)) : undefined;
}
