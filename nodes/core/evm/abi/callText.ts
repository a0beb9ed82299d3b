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
/** The length of 32 bytes in hex digits, with 0x. */
const MAX_HEX_CHARS = 66;
/** The length of a selector with 0x. */
const SHORT_HEX_CHARS = 10;
/** Limits how many values are shown. A list or a struct counts as one value, and each value in it counts as well. */
const MAX_VALUES = 10;

/**
 * Writes a call in words, from its encoded arguments in hex digits: `mint(to: 0x…, uri: "ipfs://…")`. Long parts are cut.
 */
export function formatCall({ name, inputs }: CalledFunction, encoded: string): string {
	const values = decodeParameters(inputs, createAbiData(`0x${encoded}`), 0);
	// A name that is not a valid identifier is left out, because it may be any text.
	const args = inputs.map(
		(one, index) => [one.name === one.key ? one.key : '', values[index]] as const,
	);
	return `${shortenName(name)}(${createValueFormatter().list(args, args.length)})`;
}

type Named = readonly [name: string, value: unknown];

/** Creates a function that formats values until `MAX_VALUES` of them are written. */
function createValueFormatter() {
	let left = MAX_VALUES;

	function one(value: unknown): string {
		left--;
		if (Array.isArray(value)) return `[${list(withoutNames(value), value.length)}]`;
		if (isRecord(value)) return `{${list(Object.entries(value), Object.keys(value).length)}}`;
		return typeof value === 'string' ? formatText(value) : String(value);
	}

	/** Lists values until the limit is reached, and then says how many values are left out. */
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

/** Quotes texts, because a text may say anything. Numbers, addresses and bytes are not quoted. */
function formatText(value: string): string {
	if (/^-?\d{1,80}$/.test(value)) return value;
	if (!/^0x(?:[0-9a-f]{2})*$/i.test(value)) return quoteText(value, MAX_TEXT_CHARS);
	return value.length <= MAX_HEX_CHARS ? value : shortenBytes(value);
}

/** Shortens 0x-hex to its first four bytes and its length. The first four bytes of a call are the selector. */
export function shortenBytes(hex: string): string {
	const isShort = hex.length <= SHORT_HEX_CHARS;
	return `${hex.slice(0, SHORT_HEX_CHARS)}${isShort ? '' : '…'} (${countBytes(hex.slice(2))} bytes)`;
}

function shortenName(name: string): string {
	return name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS)}…` : name;
}
