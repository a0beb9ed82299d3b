import type { Topic } from '../abi/event';
import type { LogFilter } from '../chain/logs';
import type { ChainObject } from '../chain/objects';
import { keccak256 } from '../values/keccak';

const BYTES = 256;

/** The logsBloom of a block's header: it says which logs the block can't have. Undefined if there is none. */
export function bloomIn({ logsBloom }: ChainObject): Buffer | undefined {
	const isWhole = typeof logsBloom === 'string' && /^0x[0-9a-f]{512}$/i.test(logsBloom);
	return isWhole ? Buffer.from(logsBloom.slice(2), 'hex') : undefined;
}

export function isBlankBloom(bloom: Buffer): boolean {
	return bloom.every((byte) => byte === 0);
}

/** Whether a block with this bloom can have logs that the filter lets through. */
export function mayHold(bloom: Buffer, filter: LogFilter): boolean {
	if (isBlankBloom(bloom)) return false;
	return alternatives(filter).every(
		(values) => values.length === 0 || values.some((value) => holds(bloom, value)),
	);
}

/** The bloom of a block that has these logs and no others. */
export function bloomOf(logs: readonly ChainObject[]): Buffer {
	const bloom = Buffer.alloc(BYTES);
	const values = logs.flatMap(({ address, topics }) => [
		address,
		...(Array.isArray(topics) ? (topics as unknown[]) : []),
	]);
	for (const value of new Set(values.map(String))) {
		for (const { byte, bit } of bitsOf(value)) bloom[byte] = (bloom[byte] ?? 0) | bit;
	}
	return bloom;
}

function holds(bloom: Buffer, value: string): boolean {
	return bitsOf(value).every(({ byte, bit }) => ((bloom[byte] ?? 0) & bit) !== 0);
}

/** Each address and each topic sets three bits, which its hash names. */
function bitsOf(value: string) {
	const hash = keccak256(Buffer.from(value.slice(2), 'hex'));
	return [0, 2, 4].map((at) => {
		const position = hash.readUInt16BE(at) % (BYTES * 8);
		return { byte: BYTES - 1 - (position >> 3), bit: 1 << (position & 7) };
	});
}

/** Whether a filter lets a log through: not every node heeds it. */
export function matches({ address, topics }: ChainObject, filter: LogFilter): boolean {
	const there = [address, ...(Array.isArray(topics) ? (topics as unknown[]) : [])];
	return filter.topics.length < there.length && alternatives(filter).every(hasOneAt(there));
}

function hasOneAt(there: readonly unknown[]) {
	return (values: readonly string[], position: number): boolean => {
		const value = String(there[position]).toLowerCase();
		return values.length === 0 || values.some((one) => one.toLowerCase() === value);
	};
}

/** The values of which a log must have one, position by position; the address counts as the first. */
function alternatives({ addresses, topics }: LogFilter): ReadonlyArray<readonly string[]> {
	return [addresses, ...topics.map(valuesOf)];
}

/** No values at all let everything through. */
function valuesOf(topic: Topic): readonly string[] {
	if (topic === null) return [];
	if (typeof topic === 'string') return [topic];
	return topic.every((one) => one !== null) ? topic : [];
}
