import { formatFelt, parseStarkAddress, type Parse } from '../../nodes/core';

/** An address as `0x` and 64 hex digits in lower case. Each address has only this spelling. */
export type StarkAddress = string;

export const parseStarkRuleAddress: Parse<StarkAddress> = (given) =>
	formatFelt(parseStarkAddress(given));
