import { formatFelt, parseStarkAddress, type Parse } from '../../nodes/core';

/** `0x` and 64 hex digits in lower case, in which all spellings of an address are the same. */
export type StarkAddress = string;

export const parseStarkRuleAddress: Parse<StarkAddress> = (given) =>
	formatFelt(parseStarkAddress(given));
