import { getTopicValues, matchesTopics } from '../abi/event';
import type { LogFilter } from '../logs';
import type { JsonObject } from '../../values/json';
import { keccak256 } from '../../values/keccak';

const BLOOM_BYTES = 256;

/** The logsBloom in a block's header, which shows which logs the block cannot have. Undefined if there is none. */
export function parseBloom({ logsBloom }: JsonObject): Buffer | undefined {
	const isWhole = typeof logsBloom === 'string' && /^0x[0-9a-f]{512}$/i.test(logsBloom);
	return isWhole ? Buffer.from(logsBloom.slice(2), 'hex') : undefined;
}

export function isBlankBloom(bloom: Buffer): boolean {
	return bloom.every((byte) => byte === 0);
}

/** Whether a block with this bloom can have logs that the filter lets through. */
export function mayContainLogs(bloom: Buffer, filter: LogFilter): boolean {
	if (isBlankBloom(bloom)) return false;
	return getAlternatives(filter).every(
		(values) => values.length === 0 || values.some((value) => mayContainValue(bloom, value)),
	);
}

/** The bloom of a block with exactly these logs. */
export function buildBloom(logs: readonly JsonObject[]): Buffer {
	const bloom = Buffer.alloc(BLOOM_BYTES);
	const values = logs.flatMap(({ address, topics }) => [
		address,
		...(Array.isArray(topics) ? (topics as unknown[]) : []),
	]);
	for (const value of new Set(values.map(String))) {
		for (const { byte, bit } of getBloomBits(value)) bloom[byte] = (bloom[byte] ?? 0) | bit;
	}
	return bloom;
}

function mayContainValue(bloom: Buffer, value: string): boolean {
	return getBloomBits(value).every(({ byte, bit }) => ((bloom[byte] ?? 0) & bit) !== 0);
}

/** Each address and each topic sets three bits, which are taken from its hash. */
function getBloomBits(value: string) {
	const hash = keccak256(Buffer.from(value.slice(2), 'hex'));
	return [0, 2, 4].map((at) => {
		const position = hash.readUInt16BE(at) % (BLOOM_BYTES * 8);
		return { byte: BLOOM_BYTES - 1 - (position >> 3), bit: 1 << (position & 7) };
	});
}

/** Whether a filter lets a log through, because not every node respects the filter. */
export function matchesFilter(
	{ address, topics }: JsonObject,
	{ addresses, topics: wanted }: LogFilter,
): boolean {
	const there = Array.isArray(topics) ? (topics as unknown[]) : [];
	return matchesTopics([address, ...there], [addresses, ...wanted]);
}

/** The values of which a log must have one, for each position. The address counts as the first position. */
function getAlternatives({ addresses, topics }: LogFilter): ReadonlyArray<readonly string[]> {
	return [addresses, ...topics.map(getTopicValues)];
}
