import { L2Simulate } from '../../nodes/L2Simulate/L2Simulate.node';
import { Platform } from '../../nodes/Platform/Platform.node';
import { TonFee } from '../../nodes/TonFee/TonFee.node';
import { Trace } from '../../nodes/Trace/Trace.node';
import { address, built, evm, rpc, wallet, ZERO, type Operation } from './operation.mts';

const hash = '={{ "0x" + $json.mark + "0".repeat(24) }}';
const witness = '={{ "41" + $json.mark }}';
const ACCOUNT = `41${'1'.repeat(40)}`;
const log = {
	address: ZERO.slice(0, 42),
	topics: [],
	data: '0x',
	blockNumber: '0x1',
	blockHash: ZERO,
	logIndex: '0x0',
};
const NFT_TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const fees = { in_fwd_fee: 1, storage_fee: 1, gas_fee: 1, fwd_fee: 1 };
const block = { number: '0x1', hash: ZERO, transactions: [] };

const token = `0x${'70'.repeat(20)}`;
const preparing = { resource: 'transaction', operation: 'prepare', from: `0x${'60'.repeat(20)}` };
/** A chain on which nothing fails, and payers are rich. */
const chain = {
	eth_chainId: '0x1',
	eth_gasPrice: '0x5',
	eth_feeHistory: { baseFeePerGas: ['0x5'], gasUsedRatio: [1], reward: [['0x1', '0x1', '0x1']] },
	eth_getBlockByNumber: { ...block, baseFeePerGas: '0x5', gasLimit: '0x1c9c380' },
	eth_getBalance: `0x${'f'.repeat(20)}`,
	eth_getTransactionCount: '0x7',
	eth_getCode: '0x',
};

export const reading: readonly Operation[] = [
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
		name: 'TON: call any method',
		node: () => new TonFee(),
		credential: 'token',
		travels: 'rest',
		parameters: {
			resource: 'api',
			operation: 'request',
			path: '={{ "transactions/" + $json.mark }}',
		},
		answer: { transactions: [] },
		takesAny: true,
	},
	{
		name: 'Witness: build a vote',
		...built(
			{
				operation: 'vote',
				ownerAddress: witness,
				votes: { vote: [{ voteAddress: ACCOUNT, voteCount: '1' }] },
			},
			'VoteWitnessContract',
		),
	},
	{
		name: 'Witness: build a registration',
		...built(
			{ operation: 'create', ownerAddress: witness, url: 'https://example.com' },
			'WitnessCreateContract',
		),
	},
	{
		name: 'Witness: build a transfer',
		...built(
			{
				resource: 'transaction',
				operation: 'buildTransfer',
				ownerAddress: witness,
				toAddress: ACCOUNT,
				amount: '1.5',
			},
			'TransferContract',
		),
	},
	{
		name: 'Witness: build a freeze',
		...built(
			{ resource: 'transaction', operation: 'buildFreeze', ownerAddress: witness, amount: '1.5' },
			'FreezeBalanceV2Contract',
		),
	},
	{
		name: 'Witness: build an unfreeze',
		...built(
			{ resource: 'transaction', operation: 'buildUnfreeze', ownerAddress: witness, amount: '1.5' },
			'UnfreezeBalanceV2Contract',
		),
	},
	{
		name: 'Witness: call a contract',
		...wallet(
			{
				resource: 'contract',
				operation: 'call',
				contract: ACCOUNT,
				function: 'balanceOf(address owner) view returns (uint256)',
				argumentsBy: 'json',
				arguments: '={{ [ "41" + $json.mark ] }}',
			},
			{ result: { result: true }, constant_result: ['0'.repeat(64)], energy_used: 5 },
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
	{
		name: 'EVM: estimate the gas of a call',
		...evm(
			{ resource: 'contract', operation: 'estimateGas', callBy: 'data', to: address, data: '0x00' },
			'0x5208',
		),
	},
	{
		name: 'EVM: count transactions',
		...evm({ resource: 'account', operation: 'getTransactionCount', address }, '0x1'),
	},
	{
		name: 'EVM: get a receipt',
		...evm({ resource: 'transaction', operation: 'getReceipt', transactionHash: hash }, null),
	},
	{
		name: 'EVM: get transfers of NFTs',
		...evm(
			{
				resource: 'nft',
				operation: 'getTransfers',
				contracts: address,
				fromBlock: 1,
				toBlock: 1,
				limit: 1,
			},
			[{ ...log, topics: [NFT_TRANSFER, ZERO, ZERO, ZERO] }],
		),
	},
	{
		name: 'EVM: get logs',
		...evm(
			{
				resource: 'log',
				operation: 'getAll',
				addresses: address,
				fromBlock: 1,
				toBlock: 1,
				limit: 1,
			},
			[log],
		),
		others: { eth_getBlockByNumber: block },
	},
	{
		name: 'EVM: resolve a name',
		...evm(
			{ resource: 'name', operation: 'resolve', name: 'eth', options: { registry: address } },
			ZERO,
		),
	},
	{
		name: 'EVM: verify a signature',
		...evm(
			{
				resource: 'signature',
				operation: 'verify',
				signed: 'hash',
				address,
				hash,
				signature: `0x${'11'.repeat(64)}1b`,
			},
			ZERO,
		),
		others: { eth_getCode: '0x' },
	},
	{
		name: 'EVM: get the code of an account',
		...evm({ resource: 'account', operation: 'getCode', address }, '0x60'),
	},
	{
		name: 'EVM: get an allowance',
		...evm(
			{ resource: 'token', operation: 'getAllowance', token, owner: address, spender: address },
			`0x${'0'.repeat(63)}6`,
		),
	},
	{
		name: 'EVM: read what chain this is',
		...evm({ resource: 'chain', operation: 'get', path: '={{ "/" + $json.mark }}' }, '0x1'),
		others: { eth_getBlockByNumber: block, web3_clientVersion: 'node/1' },
	},
	{
		name: 'EVM: prepare a payment',
		...evm({ ...preparing, to: address, amount: '1' }, '0x5208'),
		others: chain,
	},
	{
		name: 'EVM: prepare a payment in a token',
		...evm({ ...preparing, kind: 'tokenTransfer', token, to: address, amount: '1' }, '0x5208'),
		others: { ...chain, eth_getCode: '0x60', eth_call: `0x${'0'.repeat(63)}6` },
	},
	{
		name: 'EVM: prepare a payment of each account',
		...evm({ ...preparing, from: address, to: token, amount: '1' }, '0x5208'),
		others: chain,
	},
	{ name: 'EVM: a method that reads', ...evm(rpc('eth_getCode'), '0x') },
	{
		name: 'Trace: filter',
		node: () => new Trace(),
		credential: 'token',
		travels: 'batched',
		parameters: { operation: 'filter', fromAddress: address, fromBlock: 1, toBlock: 1, limit: 1 },
		answer: [{ action: {}, type: 'call', blockNumber: 1 }],
		others: { eth_getBlockByNumber: block },
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
];
