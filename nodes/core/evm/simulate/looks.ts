import { randomBytes } from 'crypto';
import type { JsonObject } from '../../values/json';
import { encodeHex } from '../../values/hex';

/** A balance or an answer that is read before the transaction and after it. */
export interface SimulatedRead {
	readonly to: string;
	/** 0x-hex. Only 0x means the coins of the account. */
	readonly data: string;
}

/**
 * Code of a contract that reads coins, or calls another contract. The first word of its data is an address. If more data
 * follow, it makes a static call to the address, and returns up to three words. A static call cannot change the state.
 */
const READER_CODE = `0x${[
	...['36', '6020', '14', '6033', '57'], // if the data are one word: go to 0x33
	...['6020', '36', '03', '80', '6020', '6000', '37'], // memory = the data behind the first word
	...['6000', '6000', '91', '6000', '600035', '5a', 'fa'], // static call
	...['6061', '3d', '10', '16', '6029', '57'], // if it succeeded and gave at most 96 bytes: go to 0x29
	...['6000', '80', 'fd'], // revert
	...['5b', '3d', '6000', '80', '3e', '3d', '6000', 'f3'], // 0x29: return them
	...['5b', '600035', '31', '6000', '52', '6020', '6000', 'f3'], // 0x33: return the coins
].join('')}`;

/** Limits the gas of each read, so that a token that never returns does not use up the gas that all calls share. */
const READ_GAS = '0x7a120';

/**
 * Builds the calls that read, and the code for them. No contract can search for this code, because its address is random.
 */
export function buildLooks(reads: readonly SimulatedRead[]) {
	if (reads.length === 0) return { looks: [], code: {} };
	const [from, reader] = [drawAddress(), drawAddress()];
	const code: JsonObject = { [reader]: { code: READER_CODE } };
	const call = { from, to: reader, gas: READ_GAS };
	const looks = reads.map(({ to, data }) => ({
		...call,
		data: `0x${to.slice(2).padStart(64, '0')}${data.slice(2)}`,
	}));
	return { looks, code };
}

function drawAddress(): string {
	return encodeHex(randomBytes(20));
}
