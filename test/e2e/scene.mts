import type { IDataObject } from 'n8n-workflow';
import { REMOTE_ADDRESS, TEST_ADDRESS, TEST_KEY } from '../../demo/run/credentials.mts';
import { getFirstAccess } from '../cases/all.mts';
import { NAME, type Access, type Scene } from '../cases/case.mts';
import { buildStarkScene } from '../cases/stageStark.mts';
import { buildTonScene } from '../cases/tonScene.mts';
import { registerName } from '../harness/names.mts';
import { line, ours, resultOf } from './workflows.mts';
import { control, demo } from './world.mts';

const ETHER = 10n ** 18n;

/** Builds the scene of the cases from the contracts of the demo. The signer is the account of the given credential. */
export async function buildScene(access: Access): Promise<Scene> {
	const {
		owner,
		payer,
		holder,
		other,
		token,
		pieces,
		feed,
		dollar,
		transactionHash,
		giftHash,
		toBlock,
	} = demo.chain;
	const { chain } = demo.sandbox;
	const block = await chain('eth_getBlockByNumber', `0x${toBlock.toString(16)}`, false);
	return {
		owner,
		payer,
		payments: [3n * ETHER, 2n * ETHER, ETHER, ETHER],
		lastPayment: {
			transactionHash,
			blockHash: (block as { hash: string }).hash,
			blockNumber: toBlock,
		},
		holder,
		gifts: [ETHER, ETHER / 2n, 1n],
		giftHash,
		token: {
			address: token,
			name: 'Demo Coin',
			symbol: 'DEMO',
			decimals: 18,
			totalSupply: 1_000_000n * ETHER,
		},
		nft: {
			contract: pieces,
			tokenId: '1',
			name: 'Demo Pieces',
			symbol: 'PIECE',
			metadata: { name: 'A Demo Piece' },
		},
		feed: { address: feed, price: '2500.5' },
		dollar,
		other,
		signerAddress: access === 'remote' ? REMOTE_ADDRESS : TEST_ADDRESS,
		signerKey: TEST_KEY,
		witnessOwner: demo.signer.address,
		sign: signByDemo,
		stark: await buildStarkScene(control),
		ton: await buildTonScene(control),
		chain,
		control: async (path) => await control('GET', path),
		first: runBefore,
	};
}

/** Signs a transaction with the demo's signing service, which stands for the wallet of a user. */
async function signByDemo(built: IDataObject): Promise<string> {
	const body = JSON.stringify(built);
	return await (await fetch(demo.signer.url, { method: 'POST', body })).text();
}

const runBefore: Scene['first'] = async (node, parameters) => {
	const [item = {}] = await resultOf<IDataObject>(
		line(ours(node, getFirstAccess(node), parameters)),
	);
	return item;
};

/** Gives the ENS name that the examples resolve a text record, because the name has none at first. */
export async function giveNameRecord(): Promise<void> {
	const { chain, mine } = demo.sandbox;
	await registerName({ call: chain, mine }, NAME.name, demo.chain.holder, NAME.url);
}
