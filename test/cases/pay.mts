import assert from 'node:assert/strict';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { deposit } from '../harness/accountKey.mts';
import type { Case, NodeCases, Scene } from './case.mts';

/**
 * The values that samples show in place of signed bytes and their hash. Without a payment ID, the hash differs in each
 * run.
 */
const SHOWN_OUTCOME = {
	transactionHash: '0xbf4e31c9207a0b8b4ff0f6a2751894cd6be9ef17148f6c3231d44c49014e47e6',
	signedTransaction: '…',
};

/** The index of a deposit address that a case pays to. */
const SWEPT_INDEX = 300;

const NO_GUARD = { options: { guard: 0 } };

const EVM_PAYMENT = async ({ other }: Scene): Promise<INodeParameters> =>
	await Promise.resolve({ chain: 'evm', to: other, amount: '0.001', ...NO_GUARD });

const PAID_WITH_WORDS = {
	chain: 'ton',
	amount: '0.01',
	comment: 'Invoice 42',
	paymentId: 'invoice-42',
	...NO_GUARD,
};
const PAID_IN_TOKENS = { chain: 'stark', amount: '0.01', ...NO_GUARD };

function checkPaid([item]: readonly IDataObject[], amount: string): void {
	assert.deepEqual([item?.status, item?.amount, item?.reason], ['confirmed', amount, null]);
	assert.match(String(item?.transactionHash), /^(0x)?[0-9a-f]{60,64}$/);
	assert.ok(item?.signedTransaction);
}

/** Builds the case of a payment on another kind of chain than the EVM chain of the sample. */
function paysOn(about: string, parameters: (scene: Scene) => INodeParameters): Case {
	return {
		resource: 'payment',
		operation: 'pay',
		about,
		parameters,
		check: (items) => checkPaid(items, '0.01'),
	};
}

export const pay: NodeCases = {
	node: 'pay',
	accesses: ['payer'],
	cases: [
		{
			resource: 'payment',
			operation: 'pay',
			parameters: EVM_PAYMENT,
			check: (items) => checkPaid(items, '0.001'),
			// The parameters fill those fields of the output schema that stay empty for a payment in coins of an EVM chain.
			alsoForSchema: ({ ton, stark }) => [
				{ ...PAID_WITH_WORDS, to: ton.receiver },
				{ ...PAID_IN_TOKENS, token: stark.token, to: stark.receiver },
			],
			shown: { given: {}, outcome: SHOWN_OUTCOME },
		},
		{
			resource: 'payment',
			operation: 'preview',
			// With a payment ID, the highest cost is the same in each run. No payment was made with this ID.
			parameters: async (scene) => ({ ...(await EVM_PAYMENT(scene)), paymentId: 'invoice-42' }),
			check: ([item]) => {
				assert.deepEqual([item?.allowed, item?.rule, item?.amount], [true, null, '0.001']);
				assert.match(String(item?.summary), /^Send 0\.001 coins to 0x/);
			},
		},
		{
			resource: 'payment',
			operation: 'finish',
			parameters: async (scene) => {
				const paying = { resource: 'payment', operation: 'pay', ...(await EVM_PAYMENT(scene)) };
				const { signedTransaction } = await scene.first('pay', paying);
				return { chain: 'evm', signedTransaction: String(signedTransaction) };
			},
			check: (items) => checkPaid(items, '0.001'),
			shown: {
				given: { signedTransaction: '{{ $json.signedTransaction }}' },
				outcome: SHOWN_OUTCOME,
			},
		},
		{
			resource: 'payment',
			operation: 'sweep',
			// This case first pays to the deposit address.
			parameters: async (scene) => {
				const given = { ...(await EVM_PAYMENT(scene)), to: deposit(SWEPT_INDEX) };
				await scene.first('pay', { resource: 'payment', operation: 'pay', ...given });
				return { chain: 'evm', indexes: `${SWEPT_INDEX}-${SWEPT_INDEX + 99}` };
			},
			check: (items) => {
				assert.equal(items.length, 1);
				const [{ status, depositIndex, summary } = {}] = items;
				assert.deepEqual([status, depositIndex], ['confirmed', SWEPT_INDEX]);
				assert.match(String(summary), /^Swept 0\.000\d+ coins to 0x/);
			},
			shown: { given: { indexes: '0-99' }, outcome: SHOWN_OUTCOME },
		},
		paysOn('ton', ({ ton }) => ({ ...PAID_WITH_WORDS, to: ton.receiver })),
		paysOn('stark', ({ stark }) => ({ ...PAID_IN_TOKENS, token: stark.token, to: stark.receiver })),
	],
};
