import fc from 'fast-check';
import { utils } from 'tronweb';
import { keccak256, keccak256InSlices } from '../../../nodes/core/values/keccak';
import { getSeed } from '../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261120), numRuns: 300 });

const hex = (message: Uint8Array) => `0x${keccak256(message).toString('hex')}`;

describe('keccak-256', () => {
	test.each([
		['', '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
		['abc', '0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
		['testing', '0x5f16f4c7f149ac4f9510d9cf8cf384038ad348b3bcdc01915f95de12df9d1b02'],
		[
			'Transfer(address,address,uint256)',
			'0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
		],
		[
			'The quick brown fox jumps over the lazy dog',
			'0x4d741b6f1eb29cb2a9b9911c82f56fa8d73b04959d3d9d222895df6c0b28aa15',
		],
	])('of "%s" is the published one', (message, digest) => {
		expect(hex(Buffer.from(message))).toBe(digest);
	});

	test('of a long message is made in slices', () => {
		for (const [length, slices] of [
			[0, 0],
			[200_000, 0],
			[200_001, 1],
			[1_000_000, 4],
		] as const) {
			const message = Uint8Array.from({ length }, (_, index) => (index * 31) % 251);
			const work = keccak256InSlices(message);
			let yields = 0;
			let step = work.next();
			for (; !step.done; step = work.next()) yields++;
			expect(yields).toBe(slices);
			expect(`0x${step.value.toString('hex')}`).toBe(utils.ethersUtils.keccak256(message));
		}
	});

	test('agrees with another implementation at every length around its blocks', () => {
		for (const length of [0, 1, 7, 8, 134, 135, 136, 137, 271, 272, 273, 300]) {
			const message = Uint8Array.from({ length }, (_, index) => (index * 31 + length) % 256);
			expect(hex(message)).toBe(utils.ethersUtils.keccak256(message));
		}
	});

	test('agrees with another implementation on any bytes', () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 300, size: 'max' }), (message) => {
				expect(hex(message)).toBe(utils.ethersUtils.keccak256(message));
			}),
		);
	});

	test('leaves the message as it is', () => {
		const message = Uint8Array.of(1, 2, 3);
		keccak256(message);
		expect([...message]).toEqual([1, 2, 3]);
	});
});
