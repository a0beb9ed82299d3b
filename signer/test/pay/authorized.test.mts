import { encodeFunctionData, parseGwei, parseSignature, type Abi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createAccount, deployDollar } from '../../../test/harness/dollars.mts';
import { createSandbox } from '../../../test/harness/sandbox.mts';
import { paid } from './payNode.mts';

/** Tests of Finish with a transaction that viem signed. It sends an authorization (EIP-3009) of another account. */

const sandbox = createSandbox({ chain: true });
const RECEIVER = '0x00000000000000000000000000000000000000b7';
const GAS = 200_000n;
/** The publicly known key of the test chain's third account. */
const SENDER = privateKeyToAccount(
	'0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
);

async function signTransfer(form: 'parts' | 'bytes') {
	const dollar = await deployDollar(sandbox);
	const payer = createAccount();
	await dollar.give(payer.address, 2_500_000n);
	const { authorization, signature } = await dollar.sign(payer, {
		to: RECEIVER,
		value: 2_500_000n,
	});
	const { v, r, s } = parseSignature(signature);
	const terms = Object.values(authorization);
	const abi = (dollar.abi as Abi).filter(
		(one) =>
			one.type === 'function' &&
			one.name === 'transferWithAuthorization' &&
			(one.inputs.length === 7) === (form === 'bytes'),
	);
	const args = form === 'bytes' ? [...terms, signature] : [...terms, v, r, s];
	const data = encodeFunctionData({ abi, functionName: 'transferWithAuthorization', args });
	const nonce = Number(await sandbox.chain('eth_getTransactionCount', SENDER.address, 'latest'));
	const price = parseGwei('100');
	const signedTransaction = await SENDER.signTransaction({
		type: 'eip1559',
		chainId: dollar.domain.chainId,
		to: dollar.address,
		nonce,
		gas: GAS,
		data,
		maxFeePerGas: price,
		maxPriorityFeePerGas: 1n,
	});
	return { dollar, payer, signedTransaction };
}

const finish = async (signedTransaction: string) =>
	await paid(sandbox, { operation: 'finish', chain: 'evm', signedTransaction });

test.each(['parts', 'bytes'] as const)(
	'Finish shows who has authorized it (signature by %s), and it is paid once',
	async (form) => {
		const { dollar, payer, signedTransaction } = await signTransfer(form);
		for (const _ of [1, 2]) {
			const [item] = await finish(signedTransaction);
			expect(item).toMatchObject({
				status: 'confirmed',
				from: payer.address,
				to: expect.stringMatching(new RegExp(RECEIVER, 'i')),
				token: dollar.address,
				symbol: 'DUSD',
				value: '2500000',
				amount: '2.5',
				reason: null,
			});
		}
		expect(await dollar.readBalance(payer.address)).toBe(0n);
	},
);

test('a token that moves nothing confirms nothing', async () => {
	const { dollar, payer, signedTransaction } = await signTransfer('parts');
	// With this code, a call of the token succeeds but writes no log.
	await sandbox.chain('anvil_setCode', dollar.address, '0x00');
	const [item] = await finish(signedTransaction);
	expect(item).toMatchObject({
		status: 'failed',
		from: payer.address,
		reason: expect.stringContaining('moved'),
	});
});
