import { createHash } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { TronWeb } from 'tronweb';
import { LEADER } from '../../../../test/cases/case.mts';
import { runManually } from '../../../../test/harness/engine.mts';
import { getNode } from '../../../../test/harness/nodes.mts';
import type { Sample } from '../sample.mts';
import type { World } from '../world.mts';

const NODE = 'witnessWalletTrigger';
const IRREVERSIBLE_BLOCKS = 20;
const hashText = (text: string) => createHash('sha256').update(text).digest('hex');
/** What the clock decides. */
const SHOWN = {
	blockNumber: 70_000_001,
	timestamp: '2026-01-15T10:00:03.000Z',
	transactionId: hashText('transaction'),
	transactionHash: hashText('transaction'),
	blockHash: `0000000004${hashText('block').slice(10)}`,
};

/** A payment in coins and one in tokens, as the button to test the trigger shows them. */
export async function runWitnessPolls({ stage, sandbox }: World): Promise<Sample[]> {
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
	const shown = async (event: string, parameters: INodeParameters): Promise<Sample> => {
		const { items, error } = await runManually({
			node: getNode(NODE),
			parameters: { event, ...parameters },
			credentials: sandbox.credentials.token,
		});
		if (error) throw error;
		return { node: NODE, part: event, parameters, items: items.map(({ json }) => steady(json)) };
	};
	const eventSignature = 'Transfer(address indexed from, address indexed to, uint256 value)';
	return [
		await shown('payment', { addresses: LEADER }),
		await shown('tokenPayment', { tokens: coin, addresses: LEADER, direction: 'in' }),
		await shown('contractEvent', { contracts: coin, eventSignature }),
	];
}

function steady(item: IDataObject): IDataObject {
	const entries = Object.entries(SHOWN).filter(([name]) => name in item);
	return { ...item, ...Object.fromEntries(entries) };
}
