import { formatEther, formatUnits, parseEther, parseUnits } from 'viem';
import type { IDataObject } from 'n8n-workflow';
import { ACCOUNT_KEY } from '../../../test/harness/accountKey.mts';
import { openExample } from '../../../test/harness/exampleWorkflow.mts';
import { createSandbox } from '../../../test/harness/sandbox.mts';
import { EvmRpc } from '../../../nodes/EvmRpc/EvmRpc.node';
import { Utilities } from '../../../nodes/Utilities/Utilities.node';
import { Pay } from '../../nodes/Pay/Pay.node';
import { credentialTypes } from '../support/signerNode.mts';
import { deployToken, deposit, DESTINATION, readChain } from './sweepNode.mts';

/** Tests of the example workflow that sweeps every evening. Balances are read from the chain itself. */

const sandbox = createSandbox({ chain: true });
const chain = readChain(sandbox);
const ADDRESSES = 5;

/** The answers of the form. */
const [YES, NO, NOBODY] = [{ Answer: 'Sweep them' }, { Answer: 'Not today' }, {}];

let firstIndex = 0;
let token: Awaited<ReturnType<typeof deployToken>>;
beforeAll(async () => {
	token = await deployToken(sandbox);
});
// Each test uses new addresses, because the chain keeps the balances of earlier tests.
beforeEach(() => void (firstIndex += ADDRESSES));

function openEvening(tokens: string, answer: () => IDataObject | Promise<IDataObject> = () => YES) {
	const { signerDeposits, signerKey } = sandbox.credentials;
	const deposits = { ...signerDeposits.chainSignerDepositsApi, tokens };
	const example = openExample('sweep-every-evening', {
		own: {
			'n8n-nodes-chain-infra-signer.pay': new Pay(),
			'n8n-nodes-chain-infra.evmRpc': new EvmRpc(),
			'n8n-nodes-chain-infra.utilities': new Utilities(),
		},
		credentials: {
			...sandbox.credentials.token,
			...signerKey,
			chainSignerDepositsApi: deposits,
		},
		credentialTypes,
		answer,
	});
	return {
		table: example.table,
		/** Runs the example workflow for the test's addresses. Returns the output of each of its nodes. */
		run: async (settings: IDataObject = {}) => {
			const reached = new Map<string, IDataObject[]>();
			const failure = await example.run(
				{
					accountKey: ACCOUNT_KEY,
					token: tokens,
					firstIndex,
					lastIndex: firstIndex + ADDRESSES - 1,
					minAmount: '5',
					askAbove: '1000',
					table: 'Swept deposits',
					...settings,
				},
				reached,
			);
			expect(failure).toBeUndefined();
			return reached;
		},
	};
}

const give = async (amounts: readonly string[]) => {
	for (const [at, amount] of amounts.entries())
		if (amount !== '0') await token.give(firstIndex + at, parseUnits(amount, 6));
};
const held = async (at: number) =>
	formatUnits(await chain.tokens(token.address, deposit(firstIndex + at)), 6);
const arrived = async () => await chain.tokens(token.address, DESTINATION);

test('what is worth a sweep arrives and is in the table; run again, nothing moves', async () => {
	await give(['12.5', '0', '4.999999', '5', '100000']);
	const before = await arrived();
	const evening = openEvening(token.address);
	const reached = await evening.run({ askAbove: '200000' });
	expect(formatUnits((await arrived()) - before, 6)).toBe('100017.5');
	expect(await held(2)).toBe('4.999999');
	const wanted = [0, 3, 4].map((at, place) =>
		expect.objectContaining({
			status: 'confirmed',
			depositIndex: firstIndex + at,
			amount: ['12.5', '5', '100000'][place],
			transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
			fee: expect.stringMatching(/^0\.0/),
			topUp: expect.stringMatching(/^0\.0/),
			reason: '',
		}),
	);
	expect(evening.table).toEqual(wanted);
	expect(reached.get('Report')).toEqual([
		{ message: '3 of 3 sweeps are confirmed. The table Swept deposits has them.' },
	]);
	expect(reached.get('Put the Question')).toBeUndefined();
	expect((await evening.run()).get('Sweep')).toBeUndefined();
	expect(evening.table).toEqual(wanted);
	expect(formatUnits((await arrived()) - before, 6)).toBe('100017.5');
});

test('above the amount a person is asked, and what comes meanwhile goes with it', async () => {
	await give(['900.1', '100.000001']);
	const before = await arrived();
	for (const answer of [NO, NOBODY]) {
		const refused = await openEvening(token.address, () => answer).run();
		expect(refused.get('Report the Refusal')).toHaveLength(1);
		expect(await arrived()).toBe(before);
	}
	const evening = openEvening(token.address, async () => {
		await give(['7', '0', '6']);
		return YES;
	});
	const reached = await evening.run();
	expect(reached.get('Put the Question')?.[0]?.question).toMatch(
		/^2 of the addresses hold 1000\.100001 \S+ together\. .* Shall they be swept\?$/,
	);
	expect(evening.table.map(({ amount }) => amount)).toEqual(['907.1', '100.000001']);
	expect(formatUnits((await arrived()) - before, 6)).toBe('1007.100001');
	// The workflow did not ask the person about the address with the index 2, so that address keeps its tokens.
	expect(await held(2)).toBe('6');
});

test('coins are swept where no token is named', async () => {
	const amounts = ['0.5', '0.001', '0.25'];
	for (const [at, amount] of amounts.entries())
		await chain.giveCoins(firstIndex + at, parseEther(amount));
	const before = await chain.coins(DESTINATION);
	const evening = openEvening('');
	await evening.run({ minAmount: '0.002' });
	expect(evening.table.map(({ depositIndex, symbol }) => [depositIndex, symbol])).toEqual([
		[firstIndex, 'coins'],
		[firstIndex + 2, 'coins'],
	]);
	const fees = evening.table.reduce((sum, { fee }) => sum + parseEther(String(fee)), 0n);
	expect(formatEther((await chain.coins(DESTINATION)) - before + fees)).toBe('0.75');
});

test('what was unknown is looked at on the next evening, and what fails goes to a person', async () => {
	await give(['10']);
	const evening = openEvening(token.address);
	await evening.run();
	const [row] = evening.table;
	const known = { ...row };
	Object.assign(row ?? {}, { status: 'unknown', fee: '', sweptAt: '', reason: 'No answer' });
	await evening.run();
	expect(evening.table).toEqual([known]);

	const frozen = await deployToken(sandbox, 'OddTokens', 'Frozen');
	await frozen.give(firstIndex, 100_000_000n);
	const other = openEvening(frozen.address);
	const reached = await other.run();
	expect(other.table).toEqual([
		expect.objectContaining({ status: 'failed', transactionHash: '', topUp: '' }),
	]);
	expect(reached.get('Look at It')).toEqual([
		expect.objectContaining({ reason: expect.stringMatching(/Nothing was sent for it\.$/) }),
	]);
});
