import { DAY_MS, SECOND_MS } from './clock';
import { refuse } from './refusal';

interface Times {
	readonly validAfter: bigint;
	readonly validBefore: bigint;
}

const DAY = DAY_MS / SECOND_MS;
/** How many seconds ago an authorization becomes valid. The time is in the past because the clocks of buyers and sellers differ. */
const EARLIER_SECONDS = 600n;
/** The rest of the day must be long enough for a settlement. */
const LEAST_SECONDS = 30n;

/**
 * Chooses the times of an authorization, in seconds since 1970. With a daily limit, it ends on the day on which it begins. The rules decide
 * later whether the seller's time is too long.
 */
export function chooseTimes(now: bigint, seconds: bigint, isBoundByDay: boolean): Times {
	const end = now + seconds;
	const earlier = now > EARLIER_SECONDS ? now - EARLIER_SECONDS : 0n;
	if (!isBoundByDay || seconds > DAY) return { validAfter: earlier, validBefore: end };
	const today = now / DAY;
	const lastOfDay = (today + 1n) * DAY - 1n;
	const validBefore = end < lastOfDay ? end : lastOfDay;
	const left = validBefore - now;
	if (left < LEAST_SECONDS && left < seconds) return refuseEndOfDay(lastOfDay - now + 1n);
	const start = today * DAY;
	return { validAfter: earlier > start ? earlier : start, validBefore };
}

function refuseEndOfDay(left: bigint): never {
	refuse(
		`The day (UTC) ends in ${left} seconds, and Daily Authorizations lets no authorization be valid on two days`,
		'Pay again after midnight.',
	);
}
