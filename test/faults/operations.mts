import type { INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { Faucet } from '../../nodes/Faucet/Faucet.node';
import { IpfsPin } from '../../nodes/IpfsPin/IpfsPin.node';
import { L2Simulate } from '../../nodes/L2Simulate/L2Simulate.node';
import { Platform } from '../../nodes/Platform/Platform.node';
import { TonFee } from '../../nodes/TonFee/TonFee.node';
import { Trace } from '../../nodes/Trace/Trace.node';
import { WitnessWallet } from '../../nodes/WitnessWallet/WitnessWallet.node';
import { fileInMemory } from '../harness/binary.mts';

/** How an operation travels, which decides what a fault means to it. */
export type Travels = 'batched' | 'rest' | 'once' | 'onceOverRpc';

export interface Operation {
	readonly name: string;
	readonly node: () => INodeType;
	readonly credential: 'platform' | 'token';
	readonly travels: Travels;
	/** What each item asks, with its mark somewhere in it. */
	readonly parameters: INodeParameters;
	/** What the service answers: the body, or the result of a call. */
	readonly answer: unknown;
	readonly hasFile?: boolean;
}

export const ITEMS = 3;

/** Twenty bytes that occur in the request of one item and nowhere else. */
export const markOf = (item: number) => `${'c0ffee'.repeat(6)}00${item + 1}0`;

export const items: readonly INodeExecutionData[] = Array.from({ length: ITEMS }, (_, item) => ({
	json: { item, mark: markOf(item) },
	binary: { data: fileInMemory(Buffer.from(`file of ${markOf(item)}`)) },
}));

const address = '={{ "0x" + $json.mark }}';
const hash = '={{ "0x" + $json.mark + "0".repeat(24) }}';
const ZERO = `0x${'0'.repeat(64)}`;
const witness = '={{ "41" + $json.mark }}';

const built = { visible: false, txID: 'a'.repeat(64), raw_data: {}, raw_data_hex: '00' };
const fees = { in_fwd_fee: 1, storage_fee: 1, gas_fee: 1, fwd_fee: 1 };
const pin = { id: 'PIN-1', cid: 'bafy' };
const block = { number: '0x1', hash: ZERO, transactions: [] };
const paid = { url: `https://example.com/tx/${ZERO}` };

/** A signed transaction of the old kind, long enough for one. */
const signed = '={{ "0xf86b" + "00".repeat(40) + $json.mark }}';
const toBroadcast =
	'={{ ({ txID: $json.mark + "0".repeat(24), raw_data: {}, raw_data_hex: "00", signature: ["00"] }) }}';

const evm = (parameters: INodeParameters, answer: unknown, travels: Travels = 'batched') =>
	({ node: () => new EvmRpc(), credential: 'token', travels, parameters, answer }) as const;

const rpc = (method: string) => ({
	resource: 'rpc',
	operation: 'request',
	method,
	params: `={{ ["0x" + $json.mark] }}`,
});

const wallet = (parameters: INodeParameters, answer: unknown, travels: Travels = 'rest') =>
	({ node: () => new WitnessWallet(), credential: 'token', travels, parameters, answer }) as const;

export const operations: readonly Operation[] = [
	{
		name: 'Platform: get projects',
		node: () => new Platform(),
		credential: 'platform',
		travels: 'rest',
		parameters: {
			resource: 'project',
			operation: 'getAll',
			filters: { name: '={{ $json.mark }}' },
		},
		answer: { count: 1, next: null, results: [{ id: 'PR-1' }] },
	},
	{
		name: 'TON: estimate a fee',
		node: () => new TonFee(),
		credential: 'token',
		travels: 'rest',
		parameters: {
			operation: 'estimate',
			address: '={{ "0:" + $json.mark + "0".repeat(24) }}',
			body: 'te6cckEBAQEAAgAAAEysuc0=',
		},
		answer: { source_fees: fees, destination_fees: fees },
	},
	{
		name: 'Witness: build a vote',
		...wallet(
			{
				operation: 'vote',
				ownerAddress: witness,
				visible: false,
				votes: { vote: [{ voteAddress: `41${'1'.repeat(40)}`, voteCount: '1' }] },
			},
			built,
		),
	},
	{
		name: 'Witness: build a registration',
		...wallet(
			{ operation: 'create', ownerAddress: witness, visible: false, url: 'https://example.com' },
			built,
		),
	},
	{
		name: 'EVM: get a block by hash and index',
		...evm(
			{
				resource: 'transaction',
				operation: 'getByBlockHashAndIndex',
				blockHash: hash,
				transactionIndex: '0',
			},
			block,
		),
	},
	{
		name: 'EVM: get a balance',
		...evm({ resource: 'account', operation: 'getBalance', address }, '0x1'),
	},
	{
		name: 'EVM: call a contract',
		...evm(
			{ resource: 'contract', operation: 'call', callBy: 'data', to: address, data: '0x00' },
			'0x01',
		),
	},
	{ name: 'EVM: any method that reads', ...evm(rpc('eth_getCode'), '0x') },
	{
		name: 'Trace: filter',
		node: () => new Trace(),
		credential: 'token',
		travels: 'batched',
		parameters: { operation: 'filter', fromAddress: address, limit: 1 },
		answer: [{ action: {}, type: 'call', blockNumber: 1 }],
	},
	{
		name: 'Rollup: simulate',
		node: () => new L2Simulate(),
		credential: 'token',
		travels: 'batched',
		parameters: {
			operation: 'simulate',
			blockBy: 'tag',
			blockTag: 'latest',
			inputMode: 'json',
			transactions: '={{ ({ type: "INVOKE", sender_address: "0x" + $json.mark }) }}',
		},
		answer: [{ transaction_trace: {}, fee_estimation: {} }],
	},
	{
		name: 'Faucet: request',
		node: () => new Faucet(),
		credential: 'platform',
		travels: 'once',
		parameters: { operation: 'request', chain: 'sepolia', address },
		answer: paid,
	},
	{
		name: 'IPFS: upload a file',
		node: () => new IpfsPin(),
		credential: 'platform',
		travels: 'once',
		parameters: { operation: 'upload', bucketId: 'BUCK-1' },
		answer: pin,
		hasFile: true,
	},
	{
		name: 'IPFS: upload JSON',
		node: () => new IpfsPin(),
		credential: 'platform',
		travels: 'once',
		parameters: { operation: 'uploadJson', bucketId: 'BUCK-1', json: '={{ $json }}' },
		answer: pin,
	},
	{
		name: 'Witness: broadcast',
		...wallet({ operation: 'broadcast', transaction: toBroadcast }, { result: true }, 'once'),
	},
	{
		name: 'EVM: raw transaction by any method',
		...evm(rpc('eth_sendRawTransaction'), ZERO, 'onceOverRpc'),
	},
	{
		name: 'EVM: send a transaction',
		...evm(
			{ resource: 'transaction', operation: 'send', signedTransaction: signed },
			ZERO,
			'onceOverRpc',
		),
	},
	{ name: 'EVM: a method unknown to the node', ...evm(rpc('evm_mine'), '0x0', 'onceOverRpc') },
];
