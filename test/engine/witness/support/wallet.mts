import { createHash } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { utils } from 'tronweb';
import { WitnessWallet } from '../../../../nodes/WitnessWallet/WitnessWallet.node';
import { runNode, type NodeRun } from '../../../harness/engine.mts';
import { createSandbox } from '../../../harness/sandbox.mts';

const node = new WitnessWallet();

export const KEY = '1'.repeat(64);
export const OWNER = utils.address.fromPrivateKey(KEY) as string;
export const LEADER = 'THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC';
export const SECOND = utils.address.fromHex(`41${sha256('witness 1').slice(0, 40)}`);
export const hexOf = (address: string) => utils.address.toHex(address).toLowerCase();
export const DOUBT = /may still have been carried out/;

export function sha256(data: string | Buffer): string {
	return createHash('sha256').update(data).digest('hex');
}

export type Wallet = ReturnType<typeof createWallet>;

/** Creates a sandbox for a test file, and functions that run the node Chain Witness Wallet in it. */
export function createWallet(settings?: Parameters<typeof createSandbox>[0]) {
	const sandbox = createSandbox(settings);

	async function wallet(parameters: INodeParameters, more: Partial<NodeRun> = {}) {
		const credentials = sandbox.credentials.token;
		return await runNode({ node, parameters, credentials, ...more });
	}

	async function first(parameters: INodeParameters, more: Partial<NodeRun> = {}) {
		const { items, error } = await wallet(parameters, more);
		if (error) throw error;
		return items[0]?.json as IDataObject;
	}

	const sent = async () => (await sandbox.record()).map(({ path, body }) => ({ path, body }));

	return { sandbox, wallet, first, sent };
}

export const votes = (...list: Array<[address: string, count: unknown]>) => ({
	vote: list.map(([voteAddress, voteCount]) => ({ voteAddress, voteCount })) as INodeParameters[],
});
export const vote = (more: INodeParameters = {}) => ({
	operation: 'vote',
	ownerAddress: OWNER,
	votes: votes([LEADER, '5']),
	...more,
});
export const create = (more: INodeParameters = {}) => ({
	operation: 'create',
	ownerAddress: OWNER,
	url: 'https://example.com',
	...more,
});
export const hexVote = () =>
	vote({ ownerAddress: hexOf(OWNER), votes: votes([hexOf(LEADER), 5]), visible: false });
export const broadcast = (transaction: string) => ({ operation: 'broadcast', transaction });

/** Signs a built transaction, which may be inside of an item. */
export const signed = (built: IDataObject, key = KEY) =>
	utils.crypto.signTransaction(
		key,
		structuredClone(built.transaction ?? built) as never,
	) as object as IDataObject;
export const asItem = (json: IDataObject): Partial<NodeRun> => ({ items: [{ json }] });

/** The bytes of a transaction that contains only an expiration, in 1970. */
const EXPIRED_BYTES = '4001';
export const GOOD_ID = sha256(Buffer.from(EXPIRED_BYTES, 'hex'));

/** A transaction that the n8n node accepts and sends, but that the sandbox refuses. */
export const GOOD = JSON.stringify({
	txID: GOOD_ID,
	raw_data: { contract: [] },
	raw_data_hex: EXPIRED_BYTES,
	signature: ['00'],
});
