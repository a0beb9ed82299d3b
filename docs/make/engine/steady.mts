import { createHash } from 'node:crypto';

/** Replaces values that differ in each run by the constants that the page shows. */
export type Stabilize = <T>(value: T) => T;

const FIRST_BLOCK_SECONDS = Date.parse('2026-01-15T10:00:00Z') / 1000;
const BLOCK_SECONDS = 12;

export interface BlockStamp {
	readonly number: number;
	readonly hash: string;
	/** The timestamp in seconds. */
	readonly timestamp: number;
}

/** An address of the sandbox, and the text that a page shows in its place. */
interface SandboxAddress {
	readonly url: string;
	readonly shown: string;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
/**
 * Returns whether a value is the signature list of TRON, with whole signatures. A STARK signature is a list of two
 * halves.
 */
const isWitnessSignature: Check = (value) => Array.isArray(value) && value.length === 1;

/**
 * The values that differ in each run. Each has the name of its field, a check of its type, and the text that pages
 * show.
 */
const FIXED_VALUES: ReadonlyArray<readonly [name: RegExp, isMeant: Check, shown: unknown]> = [
	[/^(timestamp|expiration)$/, isNumber, 1768471200000],
	[/^ref_block_bytes$/, isText, '4b1e'],
	[/^ref_block_hash$/, isText, hashText('ref block').slice(0, 16)],
	[/^(txID|txid|transactionId)$/, isText, hashText('transaction')],
	[/^(raw_data_hex|signature)$/, isText, `0a02${hashText('raw data')}`],
	[/^signature$/, isWitnessSignature, [`${hashText('r')}${hashText('s')}1b`]],
];

export function createStabilizer(
	stamps: readonly BlockStamp[],
	addresses: readonly SandboxAddress[],
): Stabilize {
	const changes = [
		...addresses.map(({ url, shown }) => [url, shown] as const),
		...stamps.flatMap(({ number, hash, timestamp }) => [
			[hash, `0x${hashText(`block ${number}`)}`] as const,
			[toIsoDate(timestamp), toIsoDate(FIRST_BLOCK_SECONDS + number * BLOCK_SECONDS)] as const,
		]),
	];
	return <T,>(value: T): T => {
		const text = changes.reduce(
			(before, [real, shown]) => before.replaceAll(real, shown),
			JSON.stringify(value),
		);
		return JSON.parse(text, stabilizeValue) as T;
	};
}

function stabilizeValue(name: string, value: unknown): unknown {
	const rule = FIXED_VALUES.find(([names, isMeant]) => names.test(name) && isMeant(value));
	if (rule) return rule[2];
	if (typeof value !== 'string') return value;
	if (/^(created|updated)_at$/.test(name) && isOfThisRun(value))
		return toIsoDate(FIRST_BLOCK_SECONDS);
	return value.replace(/^PIN-\d+$/, 'PIN-100000001');
}

const HOUR_MS = 3_600_000;

function isOfThisRun(time: string): boolean {
	return Math.abs(Date.now() - Date.parse(time)) < HOUR_MS;
}

function toIsoDate(seconds: number): string {
	return new Date(seconds * 1000).toISOString();
}

export function hashText(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}
