import { sharedKey } from '../../../nodes/core';
import { payOperation } from './client';
import { indexes, paymentId, sweptChain, sweptTokens, waitFor } from './fields';
import { sweepOptions } from './options';
import { ItemQueue } from './paymentRun';
import { sweepAddresses } from './sweepAddresses';

const SWEEP_QUEUE = sharedKey('pay.sweepQueue', () => new ItemQueue());

export const sweep = payOperation({
	name: 'Sweep',
	action: 'Sweep deposit addresses',
	description:
		'Move what deposit addresses hold to the destination in the credential Chain Signer Deposits API, and nowhere else. The account of Chain Signer Key API pays the fees for tokens. A second run moves nothing twice.',
	builderHint: {
		propertyHint:
			'One item may name many addresses, and gives an item for each that holds something.',
	},
	fields: [sweptChain, ...sweptTokens, indexes, paymentId, waitFor, sweepOptions],
	waits: true,
	reserve: (_, context) => {
		const { before, leave } = context.shared(SWEEP_QUEUE).join();
		return { before, release: leave };
	},
	async *run(p, context, { before }) {
		// Items are swept one after another, so each finds only the balances that earlier items have left.
		await before;
		yield* await sweepAddresses(p, context);
	},
});
