import { quoteText } from '../../values/quoted';
import { isRecord } from '../../values/parse';
import { decodeParameters, type AbiParameter } from './composed';
import { countBytes, createAbiData } from './data';

interface CalledFunction {
	readonly name: string;
	readonly inputs: readonly AbiParameter[];
}

const MAX_NAME_CHARS = 40;
const MAX_TEXT_CHARS = 60;
/** The length of 32 bytes with 0x. */
const MAX_HEX_CHARS = 66;
/** The length of a selector with 0x. */
const SHORT_HEX_CHARS = 10;
/** A list or struct counts as one value, and so does each value in it. */
const MAX_VALUES = 10;

/**
 * Writes a call in words, from its encoded arguments in hex digits: `mint(to: 0x…, uri: "ipfs://…")`. Long parts are cut.
 */
export function formatCall({ name, inputs }: CalledFunction, encoded: string): string {
	const values = decodeParameters(inputs, createAbiData(`0x${encoded}`), 0);
	// An invalid name may be any text, so it is left out.
	const args = inputs.map(
		(one, index) => [one.name === one.key ? one.key : '', values[index]] as const,
	);
	return `${shortenName(name)}(${createValueFormatter().list(args, args.length)})`;
}

type Named = readonly [name: string, value: unknown];

/** Writes values until the limit is reached. */
function createValueFormatter() {
	let left = MAX_VALUES;

	function one(value: unknown): string {
		left--;
		if (Array.isArray(value)) return `[${list(withoutNames(value), value.length)}]`;
		if (isRecord(value)) return `{${list(Object.entries(value), Object.keys(value).length)}}`;
		return typeof value === 'string' ? formatText(value) : String(value);
	}

	/** Lists the first values and counts the rest. */
	function list(first: readonly Named[], count: number): string {
		const shown: string[] = [];
		for (const [name, value] of first) {
			if (left <= 0) break;
			shown.push((name === '' ? '' : `${shortenName(name)}: `) + one(value));
		}
		const more = count - shown.length;
		return [...shown, ...(more > 0 ? [`… ${more} more`] : [])].join(', ');
	}

	return { list };
}

function withoutNames(values: readonly unknown[]): Named[] {
	return values.slice(0, MAX_VALUES).map((value) => ['', value]);
}

/** Numbers, addresses and bytes are not quoted; other texts are, because they may say anything. */
function formatText(value: string): string {
	if (/^-?\d{1,80}$/.test(value)) return value;
	if (!/^0x(?:[0-9a-f]{2})*$/i.test(value)) return quoteText(value, MAX_TEXT_CHARS);
	return value.length <= MAX_HEX_CHARS ? value : shortenBytes(value);
}

/** Shortens 0x-hex to its first bytes (in a call, the selector) and its length. */
export function shortenBytes(hex: string): string {
	const isShort = hex.length <= SHORT_HEX_CHARS;
	return `${hex.slice(0, SHORT_HEX_CHARS)}${isShort ? '' : '…'} (${countBytes(hex.slice(2))} bytes)`;
}

function shortenName(name: string): string {
	return name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS)}…` : name;
}
