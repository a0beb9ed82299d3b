import type { INodeParameters } from 'n8n-workflow';
import { activateTrigger } from '../../../../test/harness/trigger.mts';
import { waitUntil } from '../../../../test/harness/until.mts';
import { getNode } from '../../../../test/harness/nodes.mts';
import type { Sample } from '../sample.mts';
import { numberToHex, type World } from '../world.mts';

const TRANSFER_EVENT = 'Transfer(address indexed from, address indexed to, uint256 value)';

/** Creates a function that makes the sample of a trigger. It starts the trigger and causes an event meanwhile. */
function createTriggerSample(world: World) {
	const { sandbox } = world;
	return async (
		event: string,
		parameters: INodeParameters,
		happen: () => Promise<unknown>,
	): Promise<Sample> => {
		await sandbox.control('DELETE', '/record');
		const active = await activateTrigger({
			node: getNode('evmRpcTrigger'),
			parameters: { event, ...parameters },
			credentials: sandbox.credentials.token,
		});
		if (event !== 'pendingTransaction') await waitUntilListening(world);
		await happen();
		const [first = {}] = await active.has(1);
		await active.close();
		return { node: 'evmRpcTrigger', part: event, parameters, items: [first] };
	};
}

export async function runTriggers(world: World): Promise<Sample[]> {
	const { sandbox, scene, give, pay, mint } = world.stage;
	const { owner, payer, other, token, nft } = scene;
	const give5 = async () => await give(other, 5_000_000n);
	const started = createTriggerSample(world);
	return [
		await started('newBlock', {}, async () => await pay(1n)),
		await started('log', { addresses: token.address, eventSignature: TRANSFER_EVENT }, give5),
		await started('tokenTransfer', { tokens: token.address, accounts: other }, give5),
		await started('pendingTransaction', {}, async () => {
			const gas = { gas: numberToHex(21_000), gasPrice: numberToHex(2_000_000_000) };
			await sandbox.chain('eth_sendTransaction', { from: owner, to: payer, value: '0x1', ...gas });
		}),
		await started('nftTransfer', { contracts: nft.contract }, async () => await mint(other, 8n)),
	];
}

/** Waits until the trigger has read the newest block. Later events are then new to the trigger. */
async function waitUntilListening({ sandbox }: World): Promise<void> {
	await waitUntil(async () => {
		const seen = (await sandbox.record()).map(({ body }) => JSON.stringify(body));
		return seen.filter((body) => body.includes('"latest"')).length > 1;
	});
}
