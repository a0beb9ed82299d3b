import fc from 'fast-check';
import { parseEther, type Hex } from 'viem';
import { signAllowedTransaction } from '../../nodes/core/secp256k1Signer';
import { parseSecp256k1Rules } from '../../rules/rules';
import { FRIEND } from '../support/accounts.mts';
import { setClock } from '../support/clock.mts';
import {
	account,
	allowTransaction,
	createTally,
	expectSame,
	key,
	keys,
	readNumber,
} from '../support/properties.mts';
import { NOW } from '../support/typedData.mts';

beforeEach(() => setClock(NOW));
afterEach(() => jest.restoreAllMocks());

const count = createTally();

const NUMBERS = {
	chainId: [31337n, 1n, 0n],
	nonce: [0n, 4n, 5n, 2n ** 64n],
	gas: [21_000n, 20_999n, 500_000n, 500_001n, 2n ** 64n - 1n],
	gasPrice: [0n, 1n, 20_000_000_000n, 20_000_000_001n],
	value: [0n, 1n, parseEther('1'), parseEther('1') + 1n, 2n ** 256n - 1n, 2n ** 256n],
};

const FULL_WIDTH = 0xff10 - 0x30;
const SPELLINGS: ReadonlyArray<(value: bigint) => unknown> = [
	(value) => String(value),
	(value) => `0x${value.toString(16)}`,
	(value) => `0X${value.toString(16).toUpperCase()}`,
	(value) => `0x000${value.toString(16)}`,
	(value) => `000${value}`,
	(value) => ` ${value}\n`,
	(value) => Number(value),
	(value) => (value < 2n ** 53n ? Number(value) : String(value)),
	(value) => value.toString(16),
	(value) => `${value}.0`,
	(value) => `+${value}`,
	(value) => `-${value}`,
	(value) => `${value}n`,
	(value) => `${value}e0`,
	(value) => `0b${value.toString(2)}`,
	(value) => `0o${value.toString(8)}`,
	(value) =>
		String(value).replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + FULL_WIDTH)),
	(value) => String(value).replace(/(\d)(?=\d{3})/, '$1_'),
	(value) => String(value).replace(/(\d)(?=\d{3})/, '$1,'),
	(value) => `${value}\u200b`,
	(value) => [String(value)],
	(value) => ({ value: String(value) }),
	(value) => value > 0n,
	() => '',
	() => null,
];

type NumberName = keyof typeof NUMBERS;
const NUMBER_NAMES = Object.keys(NUMBERS) as NumberName[];
const usual = fc.nat({ max: 3 }).map((one) => one > 0);

const spelledNumber = (name: NumberName) =>
	fc
		.tuple(usual, fc.constantFrom(...NUMBERS[name]), usual, fc.constantFrom(...SPELLINGS))
		.map(([isUsualValue, value, isUsualSpelling, spell]) => {
			const chosen = isUsualValue ? NUMBERS[name][0]! : value;
			return isUsualSpelling ? String(chosen) : spell(chosen);
		});

test('numbers in any spelling: what is signed is what a careful reader takes it for, within the rules', async () => {
	const rules = parseSecp256k1Rules({
		chainIds: '31337',
		maxAmount: '1',
		maxFee: '0.01',
		dailyTransactions: '5',
		firstNonce: '0',
		firstDay: '2026-11-24',
	});
	const numbers = fc.record(
		Object.fromEntries(NUMBER_NAMES.map((name) => [name, spelledNumber(name)])),
	);
	await fc.assert(
		fc.asyncProperty(numbers, async (given) => {
			const allowed = allowTransaction({ to: FRIEND, ...given }, rules);
			const values = NUMBER_NAMES.map((name) => readNumber(given[name]));
			const [chainId, nonce, gas, gasPrice, value] = values as bigint[];
			const isAllowed =
				!values.includes(undefined) &&
				chainId === 31337n &&
				nonce! < 5n &&
				gas! >= 21_000n &&
				gas! < 2n ** 64n - 1n &&
				gas! * gasPrice! <= parseEther('0.01') &&
				value! <= parseEther('1');
			expectSame(allowed !== undefined, isAllowed, given);
			count(isAllowed);
			if (allowed === undefined) return;
			expectSame(
				signAllowedTransaction(keys, key, allowed).signedTransaction as Hex,
				await account.signTransaction({
					type: 'legacy',
					to: FRIEND,
					chainId: Number(chainId),
					nonce: Number(nonce),
					gas,
					gasPrice,
					value,
				}),
				given,
			);
		}),
	);
});
