import { isBlank, unfit, type Read } from '../../values/read';
import { evmAddress } from '../../values/hex';
import { json } from '../../values/json';
import { keccak256 } from '../../values/digests/keccak';
import type { Topic } from '../abi/filter';

const MOST = 4;
const SIGNATURE = /^[a-z_$][\w$]*\([\w$,()[\]]*\)$/i;

/**
 * The topics of a log filter, by position: as text, separated by commas outside of parentheses, as JSON or as an array.
 * Each is a hash, an address, the signature of an event, nothing for any, or a list of these.
 */
export const topics: Read<readonly Topic[]> = (given) => {
	if (isBlank(given)) return [];
	const positions = positionsIn(given);
	if (positions.length > MOST) return unfit(`at most ${MOST} topics`);
	const filter = positions.map((position) =>
		Array.isArray(position) ? position.map(topic) : topic(position),
	);
	// To a node, nothing at the last position says that the log must have so many topics.
	while (filter.at(-1) === null) filter.pop();
	return filter;
};

function positionsIn(given: unknown): readonly unknown[] {
	if (Array.isArray(given)) return given as unknown[];
	if (typeof given !== 'string') return unfit('text or an array');
	const text = given.trim();
	if (text.startsWith('[')) return positionsIn(json(text));
	return splitOutside(text);
}

function splitOutside(text: string): string[] {
	const positions: string[] = [];
	let position: string[] = [];
	for (const part of text.split(',')) {
		position.push(part);
		const soFar = position.join(',');
		if (soFar.split('(').length > soFar.split(')').length) continue;
		positions.push(soFar);
		position = [];
	}
	return position.length > 0 ? [...positions, position.join(',')] : positions;
}

function topic(given: unknown): string | null {
	const value = typeof given === 'string' ? given.trim() : given;
	if (isBlank(value) || value === 'null' || value === '*') return null;
	if (typeof value !== 'string') return unfit('topics as text');
	if (/^0x[0-9a-f]{64}$/i.test(value)) return value;
	if (SIGNATURE.test(value)) return hashOf(value);
	if (/^0x[0-9a-f]{40}$/i.test(value)) return `0x${evmAddress(value).slice(2).padStart(64, '0')}`;
	return unfit(
		'topics: each a hash, an address, the signature of an event such as Transfer(address,address,uint256), or empty for any',
	);
}

/** In a signature, the short names of types stand for the long ones. */
function hashOf(signature: string): string {
	const whole = signature.replace(/\b(u?int)(?=[,)[])/g, '$1256');
	return `0x${keccak256(Buffer.from(whole)).toString('hex')}`;
}
