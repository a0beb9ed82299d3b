import type { IDataObject } from 'n8n-workflow';
import type { INodeParameters } from 'n8n-workflow';
import { PAID_AT } from '../../../../test/cases/ton.mts';
import type { Sample } from '../sample.mts';
import { hashText } from '../steady.mts';
import type { World } from '../world.mts';
import { createPollSampleMaker, type MakePollSample } from './pollSample.mts';

const TRANSFER_EVENT = 'Transfer(address indexed from, address indexed to, uint256 value)';

export async function runPolls(world: World): Promise<Sample[]> {
	const { give, pay, scene } = world.stage;
	const { payer, token, nft } = scene;
	const makeSample = createPollSampleMaker(world);
	const shown = async (event: string, parameters: INodeParameters) =>
		await makeSample('activityTrigger', event, parameters);
	await give(payer, 1_250_000n);
	const tokenTransfer = await shown('tokenTransfer', { tokens: token.address, accounts: payer });
	await pay(10n ** 17n);
	return [
		tokenTransfer,
		await shown('addressActivity', { addresses: payer }),
		await shown('log', { addresses: token.address, eventSignature: TRANSFER_EVENT }),
		await shown('newBlock', {}),
		await shown('nftTransfer', { contracts: nft.contract, accounts: payer }),
		await shown('value', {
			measure: 'tokenBalance',
			address: payer,
			token: token.address,
			threshold: '100',
		}),
		...(await runTonPolls(makeSample, scene.ton)),
		...(await runStarkPolls(makeSample, scene.stark)),
	];
}

async function runTonPolls(
	makeSample: MakePollSample,
	{ owner, jetton }: World['stage']['scene']['ton'],
): Promise<Sample[]> {
	const incoming = { addresses: owner, direction: 'in' };
	const payments = [
		await makeSample('tonTrigger', 'payment', { ...incoming, minAmount: '0.01' }),
		await makeSample('tonTrigger', 'jettonPayment', { ...incoming, jettons: jetton }),
	];
	const value = await makeSample('tonTrigger', 'value', {
		measure: 'tokenBalance',
		address: owner,
		token: jetton,
		threshold: '100',
	});
	return [
		...payments.map((sample) => replaceInItems(sample, replacePayment)),
		replaceInItems(value, (item) => ({ ...item, timestamp: PAID_AT.timestamp })),
	];
}

function replaceInItems(sample: Sample, replace: (item: IDataObject) => IDataObject): Sample {
	return { ...sample, items: sample.items.map(replace) };
}

function replacePayment(item: IDataObject): IDataObject {
	return {
		...item,
		...PAID_AT,
		key: String(item.key).replace(/^\w+/, hashText('message')),
		transactionHash: hashText('payment'),
	};
}

async function runStarkPolls(
	makeSample: MakePollSample,
	{ contract, token, receiver }: World['stage']['scene']['stark'],
): Promise<Sample[]> {
	const incoming = { tokens: token, accounts: receiver, direction: 'to' };
	return [
		await makeSample('starkTrigger', 'event', { contract, eventName: 'Plain' }),
		await makeSample('starkTrigger', 'tokenTransfer', incoming),
		await makeSample('starkTrigger', 'value', {
			measure: 'tokenBalance',
			address: receiver,
			token,
			threshold: '100',
		}),
	];
}
