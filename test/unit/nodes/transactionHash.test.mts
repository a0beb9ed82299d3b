import fc from 'fast-check';
import { concatHex, keccak256, serializeTransaction, toHex, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { hashSignedTransaction } from '../../../nodes/core/evm/transactions/signedHash';
import { getSeed } from '../../harness/caseCount.mts';

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const to = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const usual = { chainId: 1, nonce: 7, to, value: 5n, gas: 21_000n } as const;
const fees = { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n };

test.each([
	['an old one', { ...usual, type: 'legacy', gasPrice: 9n } as const],
	['one with an access list', { ...usual, type: 'eip2930', gasPrice: 9n } as const],
	['a usual one', { ...usual, ...fees, type: 'eip1559' } as const],
	['one that sets code', { ...usual, ...fees, type: 'eip7702', authorizationList: [] } as const],
	[
		'one with data',
		{ ...usual, ...fees, type: 'eip1559', data: `0x${'ab'.repeat(70_000)}` } as const,
	],
])('%s has the hash of its bytes', async (_, transaction) => {
	const signed = await account.signTransaction(transaction);
	expect(hashSignedTransaction(signed)).toBe(keccak256(signed));
	expect(hashSignedTransaction(signed.toUpperCase().replace('0X', '0x'))).toBe(keccak256(signed));
});

describe('one with blobs', () => {
	/**
	 * A transaction with blobs. The types of viem would require a library that makes proofs of blobs, so it is cast
	 * below.
	 */
	const transaction = {
		...usual,
		...fees,
		type: 'eip4844',
		maxFeePerBlobGas: 3n,
		blobVersionedHashes: [`0x01${'22'.repeat(31)}`],
	} as const;
	const signature = { r: `0x${'33'.repeat(32)}`, s: `0x${'44'.repeat(32)}`, yParity: 1 } as const;
	const bare = serializeTransaction({ ...transaction, sidecars: false } as never, signature);

	test('has the hash of what stays on the chain, with the blobs and without', () => {
		const sidecars = [
			{ blob: toHex(new Uint8Array(131_072)), commitment: '0xaa', proof: '0xbb' },
		] as const;
		const whole = serializeTransaction(
			{ ...transaction, sidecars: [...sidecars] } as never,
			signature,
		);
		expect(whole.length).toBeGreaterThan(262_144);
		expect(hashSignedTransaction(whole)).toBe(keccak256(bare));
		expect(hashSignedTransaction(bare)).toBe(keccak256(bare));
	});

	test('that is cut off has some hash', () => {
		const property = fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
			const hex: Hex = concatHex(['0x03', toHex(bytes)]);
			expect(hashSignedTransaction(hex)).toMatch(/^0x[0-9a-f]{64}$/);
		});
		fc.assert(property, { seed: getSeed(15), numRuns: 500 });
		for (let end = 4; end < bare.length; end += 20) {
			expect(hashSignedTransaction(bare.slice(0, end))).toMatch(/^0x/);
		}
	});
});
