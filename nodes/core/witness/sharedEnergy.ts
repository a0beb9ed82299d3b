import type { RestCaller, RestReader } from '../chain/reader';
import { readOnce, sharedKey } from '../net/pacing/shared';
import { invalidResponseError } from '../net/responses/response';
import { isRecord, rethrow } from '../values/parse';
import { readResources } from './accounts';
import { isNotServed, throwIfError } from './answers';

/** The share of the energy of contract calls that the owner of the contract pays. */
interface EnergyShare {
	readonly percent: bigint;
	/** The most energy for which the owner pays at present. */
	readonly limit: bigint;
}

const NO_SHARE: EnergyShare = { percent: 0n, limit: 0n };

const ENERGY_SHARE_READS = sharedKey(
	'witness.energyShares',
	() => new Map<string, Promise<EnergyShare>>(),
);

/** Reads for how much of a call's energy the caller pays. The owner of the contract may pay for the rest. */
export async function readCallerEnergy(
	reader: RestReader,
	contract: string,
	energy: bigint,
): Promise<bigint> {
	const read = async () => await readShare(reader, contract);
	const { percent, limit } = await readOnce(reader.shared(ENERGY_SHARE_READS), contract, read);
	const share = (energy * percent) / 100n;
	return energy - (share < limit ? share : limit);
}

/** The most energy for which the owner of a contract pays in a call, if the contract sets no limit. */
const DEFAULT_ORIGIN_LIMIT = 10_000_000;

async function readShare(reader: RestCaller, contract: string): Promise<EnergyShare> {
	const body = { value: contract, visible: false };
	const found = await reader
		.call({ path: '/wallet/getcontract', body })
		.then(throwIfError)
		.catch((failure: unknown) => (isNotServed(failure) ? {} : rethrow(failure)));
	if (!isRecord(found)) throw invalidResponseError('a contract', found);
	const { origin_address: owner, origin_energy_limit: most = DEFAULT_ORIGIN_LIMIT } = found;
	// The chain leaves out a share of 0 for the callers. The owner then pays for all energy.
	const { consume_user_resource_percent: callers = 0 } = found;
	if (owner === undefined) return NO_SHARE;
	if (!isHexAddress(owner) || !isWhole(callers, 100) || !isWhole(most))
		throw invalidResponseError('a contract', found);
	if (callers === 100) return NO_SHARE;
	const { energy: left } = await readResources(reader, { address: owner, visible: false });
	return { percent: BigInt(100 - callers), limit: left < BigInt(most) ? left : BigInt(most) };
}

function isHexAddress(value: unknown): value is string {
	return typeof value === 'string' && /^41[0-9a-f]{40}$/i.test(value);
}

function isWhole(value: unknown, most = Infinity): value is number {
	return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;
}
