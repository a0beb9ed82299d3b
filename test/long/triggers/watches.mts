import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ActivityTrigger } from '../../../nodes/ActivityTrigger/ActivityTrigger.node';
import { evmRpcTrigger } from '../../engine/evmRpcTrigger/support/triggers.mts';
import type { deployContract } from '../../harness/contract.mts';
import { numberToHex } from '../../harness/evmChain.mts';
import type { Sandbox } from '../../harness/sandbox.mts';
import { foldItems, foldBlocks, type FoldResult } from './fold.mts';
import { runByPolling, runOverSocket, type RestartableWorkflow } from './lives.mts';

type Contract = Awaited<ReturnType<typeof deployContract>>;

/** A chain and its changes. */
export interface Scene {
	readonly sandbox: Sandbox;
	readonly notes: Contract;
	readonly coin: Contract;
	/** A contract of ERC-1155 tokens, which can move several tokens in one transfer. */
	readonly editions: Contract;
	readonly payer: string;
	readonly payee: string;
}

/** An active workflow, and the events that it must emit. */
export interface Watch {
	readonly name: string;
	readonly workflow: RestartableWorkflow;
	/** Returns the emitted events after removed events are taken away. */
	getFolded(): FoldResult;
	/** The events on the chain. */
	expected(): Promise<string[]>;
}

const POLL_INTERVAL_MS = 300;
/** The most blocks that the chain searches for traces in one call. */
const MAX_TRACE_BLOCKS = 100;

const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const TRANSFER_BATCH_TOPIC = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';

const getLogName = ({ blockHash, transactionHash, logIndex }: IDataObject) =>
	[blockHash, transactionHash, Number(logIndex)].join(' ');
const getTraceName = ({ blockHash, transactionHash, traceAddress }: IDataObject) =>
	[blockHash, transactionHash, traceAddress].join(' ');

/** Starts a workflow for each kind of event. Some events are watched by both triggers. */
export async function createWatches(scene: Scene): Promise<Watch[]> {
	const { sandbox, notes, coin, editions, payer, payee } = scene;
	const credentials = sandbox.credentials.token;
	const height = async () => Number(await sandbox.chain('eth_blockNumber'));
	const first = (await height()) + 1;
	const range = async () => ({
		fromBlock: numberToHex(first),
		toBlock: numberToHex(await height()),
	});
	const logs = async (filter: object) =>
		((await sandbox.chain('eth_getLogs', { ...(await range()), ...filter })) as IDataObject[]).map(
			getLogName,
		);

	const blocks = async () => {
		const hashes: string[] = [];
		for (let number = first, last = await height(); number <= last; number++) {
			const block = await sandbox.chain('eth_getBlockByNumber', numberToHex(number), false);
			hashes.push(String((block as IDataObject).hash));
		}
		return hashes;
	};
	const recipient = `0x${payee.slice(2).padStart(64, '0')}`;
	const transfers = async () =>
		await logs({ address: coin.address, topics: [TRANSFER_TOPIC, null, recipient] });
	/** Each batch gives both tokens. */
	const nftTransfers = async () =>
		(
			await logs({
				address: editions.address,
				topics: [TRANSFER_BATCH_TOPIC, null, null, recipient],
			})
		).flatMap((name) => [`${name} 1`, `${name} 2`]);
	const payments = async () => {
		const names: string[] = [];
		for (let from = first, last = await height(); from <= last; from += MAX_TRACE_BLOCKS) {
			const filter = {
				fromBlock: numberToHex(from),
				toBlock: numberToHex(from + MAX_TRACE_BLOCKS - 1),
			};
			const traces = await sandbox.chain('trace_filter', { ...filter, fromAddress: [payer] });
			names.push(...(traces as IDataObject[]).map(getTraceName));
		}
		return names;
	};

	const asBlocks = (workflow: RestartableWorkflow) => () => foldBlocks(workflow.items(), first);
	const asLogs = (workflow: RestartableWorkflow) => () => foldItems(workflow.items(), getLogName);
	const asNfts = (workflow: RestartableWorkflow) => () =>
		foldItems(workflow.items(), (item) => `${getLogName(item)} ${String(item.tokenId)}`);
	const asTraces = (workflow: RestartableWorkflow) => () =>
		foldItems(workflow.items(), getTraceName);

	const socket = async (parameters: INodeParameters) =>
		await runOverSocket(evmRpcTrigger(parameters, credentials));
	const polled = async (parameters: INodeParameters) =>
		await runByPolling({ node: new ActivityTrigger(), parameters, credentials }, POLL_INTERVAL_MS);
	const token = {
		event: 'tokenTransfer',
		tokens: coin.address,
		accounts: payee,
		direction: 'to',
	};
	const nft = {
		event: 'nftTransfer',
		contracts: editions.address,
		accounts: payee,
		direction: 'to',
	};
	const activity = {
		event: 'addressActivity',
		addresses: payer,
		direction: 'from',
		simplify: false,
	};

	const watch = (
		name: string,
		workflow: RestartableWorkflow,
		createFold: (workflow: RestartableWorkflow) => () => FoldResult,
		expected: () => Promise<string[]>,
	): Watch => ({ name, workflow, getFolded: createFold(workflow), expected });

	return [
		watch('EVM RPC Trigger, blocks', await socket({ event: 'newBlock' }), asBlocks, blocks),
		watch(
			'EVM RPC Trigger, logs',
			await socket({ event: 'log', addresses: notes.address }),
			asLogs,
			async () => await logs({ address: notes.address }),
		),
		watch('EVM RPC Trigger, NFT transfers', await socket(nft), asNfts, nftTransfers),
		watch('Activity Trigger, blocks', await polled({ event: 'newBlock' }), asBlocks, blocks),
		watch('Activity Trigger, activity', await polled(activity), asTraces, payments),
		watch('Activity Trigger, token transfers', await polled(token), asLogs, transfers),
	];
}
