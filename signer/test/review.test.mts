import { readFileSync } from 'node:fs';
import type { INodeParameters } from 'n8n-workflow';
import { formatEther, parseTransaction, type Hex } from 'viem';
import { describeByEngine } from '../../test/harness/vmEngine.mts';
import { buildWorkflow, TESTED_NAME } from '../../test/harness/workflow.mts';
import { Signer } from '../nodes/Signer/Signer.node';
import { FRIEND, GENEROUS, signWith, STRANGER, TRANSFER } from './support/signerNode.mts';

/**
 * An example workflow whose expression shows a transaction to a person. The tests compare this text with what is signed after the approval,
 * in each engine of n8n.
 */
interface Example {
	readonly nodes: ReadonlyArray<{ readonly name: string; readonly parameters: INodeParameters }>;
}

const example = JSON.parse(
	readFileSync('examples/review-what-an-agent-signs.json', 'utf8'),
) as Example;
const { message } = example.nodes.find(({ name }) => name === 'Review It')!.parameters;

async function show(transaction: unknown): Promise<string> {
	const { expression } = buildWorkflow({ node: new Signer(), parameters: {}, credentials: {} });
	const tool = { name: 'Sign', parameters: { transaction } };
	await expression.acquireIsolate();
	try {
		const beside = { $tool: tool } as never;
		return String(
			expression.getParameterValue(message!, null, 0, 0, TESTED_NAME, [], 'manual', beside),
		);
	} finally {
		await expression.releaseIsolate();
	}
}

async function sign(transaction: unknown) {
	const { items, error } = await signWith(
		{ resource: 'transaction', operation: 'sign', transaction: transaction as string },
		{ rules: GENEROUS },
	);
	return error ? error.message : parseTransaction(items[0]!.json.signedTransaction as Hex);
}

const SMALL = { ...TRANSFER, to: FRIEND, value: '0x2386f26fc10000' };
const LARGE = { ...TRANSFER, to: STRANGER, value: '0x8ac7230489e80000' };
const { value: _value, ...withoutValue } = LARGE;
const { data: _data, ...withoutData } = LARGE;

const allowed: Readonly<Record<string, object>> = {
	'a transaction by itself': LARGE,
	'its item': { summary: 'Send 10 coins', maxCost: '10.1', transaction: LARGE },
	'an item with the text of it': { transaction: JSON.stringify(LARGE) },
	'an item that repeats it': { ...LARGE, note: 'for Ada', transaction: LARGE },
	'one that moves nothing': { transaction: withoutValue },
	'one without data': { transaction: withoutData },
	'an amount in decimal digits': { transaction: { ...LARGE, value: '10000000000000000000' } },
	'another address beside the summary': {
		summary: `Send 0.01 coins to ${FRIEND}`,
		transaction: LARGE,
	},
};

const refused: Readonly<Record<string, object>> = {
	'another transaction beside it': { ...SMALL, transaction: LARGE },
	'another transaction beside its text': { ...SMALL, transaction: JSON.stringify(LARGE) },
	'another receiver': { to: FRIEND, transaction: LARGE },
	'another amount': { value: SMALL.value, transaction: LARGE },
	'another receiver in another spelling': { To: FRIEND, transaction: LARGE },
	'another receiver in letters that look alike': { tо: FRIEND, transaction: LARGE },
	'another receiver beside an invisible character': { 'to\u200b': FRIEND, transaction: LARGE },
	'a transaction under another spelling': { Transaction: SMALL, transaction: LARGE },
	'an amount in coins': { amount: '0.01', transaction: LARGE },
	'a null inside': { ...SMALL, transaction: null },
	'a list inside': { ...SMALL, transaction: [LARGE] },
	'an item of n8n around it': { json: SMALL, transaction: LARGE },
	'an item of n8n': { json: { transaction: LARGE } },
	'a transfer beside it': { transfer: SMALL, transaction: LARGE },
	'a signed transaction beside it': { signedTransaction: '0x02', transaction: LARGE },
	'a list of both': [SMALL, { transaction: LARGE }],
};

describeByEngine(() => {
	test.each(Object.entries(allowed))('a person is shown what is signed: %s', async (_, item) => {
		const text = JSON.stringify(item);
		const shown = await show(text);
		const signed = await sign(text);
		if (typeof signed === 'string') throw new Error(signed);
		const { to, value = 0n, data = '0x', gas = 0n, maxFeePerGas = 0n, chainId } = signed;
		expect(shown.toLowerCase()).toContain(
			[
				`coins: ${formatEther(value)}`,
				`to: ${String(to)}`,
				`data: ${data}`,
				`fee: at most ${formatEther(gas * maxFeePerGas)}`,
				`chain id: ${chainId}`,
			]
				.join('\n')
				.toLowerCase(),
		);
		expect(shown).toContain(text);
	});

	test.each(Object.entries(refused))('%s is refused', async (_, item) => {
		expect(String(await sign(JSON.stringify(item)))).toMatch(/'Transaction' must be/);
	});

	test('a refusal names both', async () => {
		const item = JSON.stringify(refused['another receiver']);
		expect(String(await sign(item))).toContain(
			`one transaction without a contradiction: 'to' is "${FRIEND}" in the item, but "${STRANGER}" in the item's 'transaction'`,
		);
	});
});
