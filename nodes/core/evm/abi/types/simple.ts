import { readAs } from '../../../values/read';
import { boolean } from '../../../values/basic';
import { checksummed } from '../../../values/digests/checksum';
import { evmAddress } from '../../../values/hex';
import { expectFilled, Undecodable, WORD, wordAt } from './chainData';
import type { AbiType } from './type';
import { numberWord } from './words';

const ADDRESS = 20;

export const address: AbiType = {
	name: 'address',
	form: 'address',
	words: 1,
	read: (data, at) => {
		const bytes = wordAt(data, at);
		const start = at + WORD - ADDRESS;
		expectFilled(bytes, at, start, 0);
		return checksummed(bytes.toString('hex', start, at + WORD));
	},
	write: (given, label) =>
		readAs(label, given, evmAddress).slice(2).toLowerCase().padStart(64, '0'),
};

export const bool: AbiType = {
	name: 'bool',
	form: 'boolean',
	words: 1,
	read: (data, at) => {
		const bytes = wordAt(data, at);
		const last = at + WORD - 1;
		expectFilled(bytes, at, last, 0);
		if ((bytes[last] ?? 0) > 1) throw new Undecodable('a bool is neither 0 nor 1');
		return bytes[last] === 1;
	},
	write: (given, label) => numberWord(readAs(label, given, boolean) ? 1 : 0),
};
