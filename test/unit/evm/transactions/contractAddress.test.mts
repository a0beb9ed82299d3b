import fc from 'fast-check';
import { getContractAddress, toHex } from 'viem';
import {
	getCreateAddress,
	getCreate2Address,
} from '../../../../nodes/core/evm/transactions/contractAddress';
import { getCaseCount, getSeed } from '../../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261123), numRuns: getCaseCount(500) });

const bytes = (minLength: number, maxLength: number) =>
	fc.uint8Array({ minLength, maxLength }).map((value) => toHex(value));
const accounts = bytes(20, 20);

test('the address of a contract follows from its deployer and the nonce as another implementation has it', () => {
	const nonces = fc.bigInt({ min: 0n, max: 2n ** 64n - 2n });
	fc.assert(
		fc.property(accounts, fc.oneof(nonces, fc.constantFrom(0n, 1n, 127n, 128n)), (from, nonce) => {
			expect(getCreateAddress(from, nonce)).toBe(getContractAddress({ from, nonce }));
		}),
	);
});

test('or from its deployer, a salt and the bytecode', () => {
	fc.assert(
		fc.property(accounts, bytes(32, 32), bytes(0, 200), (from, salt, bytecode) => {
			const expected = getContractAddress({ from, salt, bytecode, opcode: 'CREATE2' });
			expect(getCreate2Address(from, salt, bytecode)).toBe(expected);
		}),
	);
});

const ZERO = `0x${'00'.repeat(20)}`;

test.each([
	[ZERO, '0x00', '0x4D1A2e2bB4F88F0250f26Ffff098B0b30B26BF38'],
	[`0xdeadbeef${'00'.repeat(16)}`, '0x00', '0xB928f69Bb1D91Cd65274e3c79d8986362984fDA3'],
	[ZERO, '0x', '0xE33C0C7F7df4809055C3ebA6c09CFe4BaF1BD9e0'],
])('an example of EIP-1014: %s deploys %s at %s', (from, bytecode, address) => {
	expect(getCreate2Address(from, `0x${'00'.repeat(32)}`, bytecode)).toBe(address);
});
