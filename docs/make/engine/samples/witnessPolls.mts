import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { TronWeb } from 'tronweb';
import { LEADER } from '../../../../test/cases/case.mts';
import type { Sample } from '../sample.mts';
import { hashText } from '../steady.mts';
import type { World } from '../world.mts';
import { createPollSampleMaker } from './pollSample.mts';

const NODE = 'witnessWalletTrigger';
const IRREVERSIBLE_BLOCKS = 20;
const HOUR_MS = 3_600_000;
/** The constants that replace values which depend on the clock. */
const STEADY_VALUES = {
	blockNumber: 70_000_001,
	key: `${hashText('transaction')}:${hashText('key').slice(0, 32)}`,
	timestamp: '2026-01-15T10:00:03.000Z',
	transactionId: hashText('transaction'),
	transactionHash: hashText('transaction'),
	blockHash: `0000000004${hashText('block').slice(10)}`,
};

/** Makes the samples of a payment in coins and of a payment in tokens, as the test button of the trigger shows them. */
export async function runWitnessPolls(world: World): Promise<Sample[]> {
	const { stage, sandbox } = world;
	const { first, sign, token, witnessOwner } = stage.scene;
	const send = async (parameters: INodeParameters) => {
		const built = await first('witnessWallet', {
			resource: 'transaction',
			ownerAddress: witnessOwner,
			toAddress: LEADER,
			...parameters,
		});
		const broadcast = { resource: 'witness', operation: 'broadcast' };
		await first('witnessWallet', { ...broadcast, transaction: await sign(built) });
	};
	const coin = TronWeb.address.fromHex(`41${token.address.slice(2)}`);
	await stage.give(`0x${TronWeb.address.toHex(witnessOwner).slice(2)}`, 25_500_000n);
	await send({ operation: 'buildTransfer', amount: '12.5' });
	await send({ operation: 'buildTokenTransfer', token: coin, amount: '25.5' });
	await sandbox.control('POST', '/wallet/mine', { blocks: IRREVERSIBLE_BLOCKS });
	// A block time of an hour makes sure that no block comes while a value is read, even on a slow machine.
	await sandbox.control('PUT', '/wallet', { blockTime: HOUR_MS });
	const makeSample = createPollSampleMaker(world);
	const shown = async (event: string, parameters: INodeParameters): Promise<Sample> => {
		const sample = await makeSample(NODE, event, parameters);
		return { ...sample, items: sample.items.map((item) => makeSteady(item as IDataObject)) };
	};
	const eventSignature = 'Transfer(address indexed from, address indexed to, uint256 value)';
	return [
		await shown('payment', { addresses: LEADER }),
		await shown('tokenPayment', { tokens: coin, addresses: LEADER, direction: 'in' }),
		await shown('contractEvent', { contracts: coin, eventSignature }),
		await shown('value', {
			measure: 'tokenBalance',
			address: LEADER,
			token: coin,
			threshold: '100',
		}),
	];
}

function makeSteady(item: IDataObject): IDataObject {
	const entries = Object.entries(STEADY_VALUES).filter(([name]) => name in item);
	return { ...item, ...Object.fromEntries(entries) };
}
