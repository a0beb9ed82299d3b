import fc from 'fast-check';
import { parseEther, parseTransaction, type Hex, type TransactionSerializable } from 'viem';
import { changingObjects, loot } from '../support/changingObjects.mts';
import { ADDRESS, CONTRACT, FRIEND, signGiven, STRANGER } from '../support/signerNode.mts';
import { account, createTally, expectSame } from '../support/properties.mts';

const RULES = {
	chainIds: '31337',
	maxAmount: '1',
	maxFee: '0.01',
	recipients: FRIEND,
};

const KEYS = [`0x${'1'.repeat(64)}`];

/** Values that the rules allow. The values of `EVIL` break the rules. */
const HONEST = {
	type: '0x2',
	chainId: '31337',
	to: FRIEND,
	nonce: '5',
	gas: '60000',
	value: '1000',
	data: '0x',
	maxFeePerGas: '2',
	maxPriorityFeePerGas: '1',
	accessList: [{ address: CONTRACT, storageKeys: KEYS }],
};

const EVIL: Readonly<Record<keyof typeof HONEST, unknown>> = {
	type: '0x4',
	chainId: '1',
	to: STRANGER,
	nonce: '0x10000000000000000',
	gas: '0xffffffffffffffff',
	value: String(parseEther('2')),
	data: '0x12345678',
	maxFeePerGas: String(10n ** 18n),
	maxPriorityFeePerGas: '3',
	accessList: [{ address: STRANGER, storageKeys: ['0x12'] }],
};

const count = createTally();

test('objects that change or have methods of their own: what is signed is what they showed once, within the rules', async () => {
	await fc.assert(
		fc.asyncProperty(changingObjects(HONEST, EVIL), async (build) => {
			const { given, about: chosen, isHonest } = build();
			const result = await signGiven(given, RULES);
			const isSigned = typeof result === 'string';
			const about = { chosen, result };
			count(isSigned);
			expectSame(loot.functions.length, 0, about);
			if (!isSigned) {
				expectSame(isHonest, false, about);
				return;
			}
			const {
				chainId,
				data,
				gas,
				maxFeePerGas = 0n,
				nonce,
				to,
				value = 0n,
			} = parseTransaction(result as Hex);
			expectSame(chainId, 31337, about);
			expectSame(to, FRIEND.toLowerCase(), about);
			expectSame(data ?? '0x', '0x', about);
			expectSame(nonce, 5, about);
			expectSame(gas, 60_000n, about);
			expectSame(value === 0n || value === 1000n, true, about);
			expectSame(maxFeePerGas, 2n, about);
			expectSame(result, await signByViem(result as Hex), about);
		}),
	);
});

/** Parses a signed transaction with viem, and signs it again with viem. */
async function signByViem(serialized: Hex): Promise<Hex> {
	const { r: _r, s: _s, v: _v, yParity: _yParity, ...rest } = parseTransaction(serialized);
	return await account.signTransaction(rest as TransactionSerializable);
}

test('the judge would notice another signer', async () => {
	expect(account.address).toBe(ADDRESS);
	const honest = await signGiven(HONEST, RULES);
	expect(honest).toBe(await signByViem(honest as Hex));
});
