import type { INodeParameters } from 'n8n-workflow';
import { runManually } from '../../../../test/harness/engine.mts';
import { PAID_AT } from '../../../../test/cases/ton.mts';
import { getNode } from '../../../../test/harness/nodes.mts';
import type { Sample } from '../sample.mts';
import { hashText } from '../steady.mts';
import type { World } from '../world.mts';

/** What the button to test the trigger shows: the latest of what has happened. */
function createPollSample({ sandbox }: World) {
	return async (node: string, event: string, parameters: INodeParameters): Promise<Sample> => {
		const { items, error } = await runManually({
			node: getNode(node),
			parameters: { event, ...parameters },
			credentials: sandbox.credentials.token,
		});
		if (error) throw error;
		return {
			node,
			part: event,
			parameters,
			items: items.map(({ json }) => json),
		};
	};
}

export async function runPolls(world: World): Promise<Sample[]> {
	const { give, pay, scene } = world.stage;
	const { payer, token, nft } = scene;
	const show = createPollSample(world);
	const shown = async (event: string, parameters: INodeParameters) =>
		await show('activityTrigger', event, parameters);
	await give(payer, 1_250_000n);
	const tokenTransfer = await shown('tokenTransfer', { tokens: token.address, accounts: payer });
	await pay(10n ** 17n);
	return [
		tokenTransfer,
		await shown('addressActivity', { addresses: payer }),
		await shown('newBlock', {}),
		await shown('nftTransfer', { contracts: nft.contract, accounts: payer }),
		...(await runTonPolls(show, scene.ton)),
		...(await runStarkPolls(show, scene.stark)),
	];
}

async function runTonPolls(
	show: ReturnType<typeof createPollSample>,
	{ owner, jetton }: World['stage']['scene']['ton'],
): Promise<Sample[]> {
	const incoming = { addresses: owner, direction: 'in' };
	const samples = [
		await show('tonTrigger', 'payment', { ...incoming, minAmount: '0.01' }),
		await show('tonTrigger', 'jettonPayment', { ...incoming, jettons: jetton }),
	];
	return samples.map((sample) => ({
		...sample,
		items: sample.items.map((item) => ({
			...(item as object),
			...PAID_AT,
			transactionHash: hashText('payment'),
		})),
	}));
}

async function runStarkPolls(
	show: ReturnType<typeof createPollSample>,
	{ contract, token, receiver }: World['stage']['scene']['stark'],
): Promise<Sample[]> {
	const incoming = { tokens: token, accounts: receiver, direction: 'to' };
	return [
		await show('starkTrigger', 'event', { contract, eventName: 'Plain' }),
		await show('starkTrigger', 'tokenTransfer', incoming),
	];
}
