/** A transfer as a token's log describes it. Addresses are 0x-hex in lower case. */
export interface LoggedTransfer {
	readonly from: string;
	readonly to: string;
	readonly value: bigint;
}

/** The hash of `Transfer(address,address,uint256)`. */
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const WORDS = 3;
const WORD_PATTERN = /[0-9a-f]{64}/gi;

/** Decodes a transfer. Any of its arguments may be indexed; the earliest tokens index none. */
export function decodeLoggedTransfer(
	topics: readonly string[],
	data: string,
): LoggedTransfer | undefined {
	const [topic, ...indexed] = topics;
	if (topic?.toLowerCase() !== TRANSFER_TOPIC) return undefined;
	const words = [
		...indexed.map((one) => one.slice(2)),
		...(data.slice(2).match(WORD_PATTERN) ?? []),
	];
	const [from, to, value] = words;
	if (from === undefined || to === undefined || value === undefined || words.length !== WORDS)
		return undefined;
	return { from: formatAddress(from), to: formatAddress(to), value: BigInt(`0x${value}`) };
}

const ADDRESS_DIGITS = 40;

function formatAddress(word: string): string {
	return `0x${word.slice(-ADDRESS_DIGITS).toLowerCase()}`;
}
