import { privateKeyToAccount } from 'viem/accounts';
import { FRIEND, KEY, signed, signTransaction, TRANSFER } from './support/signerNode.mts';

/** The mock makes the main package's own hash wrong. Signatures must not depend on it. */
jest.mock('../../nodes/core/values/keccak', () => ({
	keccak256: () => Buffer.alloc(32, 7),
}));

const account = privateKeyToAccount(KEY);
const lower = FRIEND.toLowerCase() as `0x${string}`;

test('a transaction, a message and typed data are hashed by the audited library alone', async () => {
	const transaction = { ...TRANSFER, from: undefined, to: lower };
	const [signedTransaction] = await signed(signTransaction(transaction));
	expect(signedTransaction).toMatchObject({
		signedTransaction: await account.signTransaction({
			type: 'eip1559',
			chainId: 31337,
			to: lower,
			nonce: 5,
			gas: 21_000n,
			value: 10n ** 18n,
			maxFeePerGas: 2_000_000_000n,
			maxPriorityFeePerGas: 1_000_000_000n,
		}),
	});
	const [message] = await signed({ resource: 'message', operation: 'sign', message: 'hello' });
	expect(message).toMatchObject({ signature: await account.signMessage({ message: 'hello' }) });
	const data = {
		types: { Inner: [{ name: 'b', type: 'string' }], Mail: [{ name: 'a', type: 'Inner[]' }] },
		domain: { name: 'A' },
		primaryType: 'Mail',
		message: { a: [{ b: 'c' }] },
	} as const;
	const [typedData] = await signed({
		resource: 'typedData',
		operation: 'sign',
		typedData: JSON.stringify(data),
	});
	expect(typedData).toMatchObject({ signature: await account.signTypedData(data) });
});
