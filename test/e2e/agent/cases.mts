import { randomBytes } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { computeCid } from '../../../demo/examples/proofs.mts';
import { TEST_KEY } from '../../../demo/run/credentials.mts';
import { PROJECTS } from '../../../sandbox/apis/projects.mts';
import { LEADER } from '../../cases/case.mts';
import { TON_MESSAGE } from '../../cases/tonFee.mts';
import { demo } from '../world.mts';
import { fromModel, toolOf } from './tool.mts';
import { START, type Node } from '../workflows.mts';

/** A test of a node as an AI tool. The model fills one field of the node. */
interface Case {
	tool: () => Node | Promise<Node>;
	/** The description of the tool for the model. */
	description: string;
	/** The field that the model fills in, and its value. */
	field: string;
	value: () => string | Promise<string>;
	/** The value that the service must have received. */
	heard: (value: string) => string | Promise<string>;
	/** Whether the received value is visible only in the answer, and not in the record of the service. */
	isEchoed?: boolean;
	/** The fields that the model must find in the answer. */
	fields: readonly string[];
	mostBytes: number;
}

const randomHex = (bytes: number) => `0x1${randomBytes(bytes).toString('hex').slice(1)}`;

/** Returns the item that the agent receives. */
export const agentInput = () => ({ block: demo.chain.toBlock, person: demo.chain.payer });

export const cases: Readonly<Record<string, Case>> = {
	evmRpc: {
		tool: () =>
			toolOf('evmRpc', 'token', {
				resource: 'account',
				operation: 'getBalance',
				address: fromModel('address'),
				block: `={{ $('${START}').first().json.block }}`,
			}),
		description: 'Get balance of account in Chain EVM RPC',
		field: 'address',
		value: () => randomHex(20),
		heard: (value) => `"params":["${value}","0x${agentInput().block.toString(16)}"]`,
		fields: ['amount', 'value', 'wei', 'ether'],
		mostBytes: 250,
	},
	trace: {
		tool: () => toolOf('trace', 'token', { fromAddress: fromModel('sender'), limit: 3 }),
		description: 'Find calls and transfers in Chain Trace',
		field: 'sender',
		value: () => demo.chain.payer,
		heard: (value) => `"fromAddress":["${value}"]`,
		fields: ['from', 'to', 'value', 'blockNumber'],
		mostBytes: 2000,
	},
	l2Simulate: {
		tool: () => {
			const transaction = [{ senderAddress: fromModel('sender'), calldata: '0x1' }];
			return toolOf('l2Simulate', 'token', {
				inputMode: 'fields',
				transactionFields: { transaction },
			});
		},
		description: 'Simulate transactions in Chain L2 Simulate',
		field: 'sender',
		value: () => randomHex(31),
		heard: (value) => `"sender_address":"${value}"`,
		fields: ['fee_estimation', 'transaction_trace'],
		mostBytes: 2000,
	},
	stark: {
		tool: () =>
			toolOf('stark', 'token', {
				resource: 'account',
				operation: 'get',
				address: fromModel('address'),
			}),
		description: 'Get account in Chain STARK',
		field: 'address',
		value: () => randomHex(31),
		heard: (value) => `"latest","${value}"`,
		fields: ['classHash', 'nonce', 'isDeployed'],
		mostBytes: 400,
	},
	witnessWallet: {
		tool: () => {
			const vote = [{ voteAddress: LEADER, voteCount: fromModel('votes') }];
			const { address: ownerAddress } = demo.signer;
			return toolOf('witnessWallet', 'basicAuth', { ownerAddress, votes: { vote } });
		},
		description: 'Build vote for witnesses in Chain Witness Wallet',
		field: 'votes',
		value: () => String(1 + (randomBytes(1)[0] ?? 0)),
		heard: (value) => `"vote_count":${value}}`,
		fields: ['txID', 'raw_data', 'raw_data_hex'],
		mostBytes: 2500,
	},
	ton: {
		tool: () =>
			toolOf('ton', 'token', {
				resource: 'account',
				operation: 'get',
				address: fromModel('address'),
			}),
		description: 'Get account, its balance and wallet in Chain TON',
		field: 'address',
		value: () => `0:${randomHex(32).slice(2)}`,
		heard: (value) => `"address":"${value}"`,
		fields: ['address', 'balance', 'status', 'seqno'],
		mostBytes: 400,
	},
	tonFee: {
		tool: () =>
			toolOf('tonFee', 'token', { address: TON_MESSAGE.address, body: fromModel('body') }),
		description: 'Estimate fee of message in Chain TON Fee',
		field: 'body',
		value: () => TON_MESSAGE.body,
		heard: (value) => `"body":"${value}"`,
		fields: ['source_fees', 'destination_fees', 'total'],
		mostBytes: 1000,
	},
	platform: {
		tool: () =>
			toolOf('platform', 'platform', {
				resource: 'project',
				operation: 'getAll',
				filters: { name: fromModel('name') },
			}),
		description: 'Get many projects in Chain Platform',
		field: 'name',
		value: () => String(PROJECTS[6]?.name),
		heard: (value) => `"name":"${value}"`,
		fields: ['id', 'name', 'created_at'],
		mostBytes: 1000,
	},
	ipfsPin: {
		tool: () =>
			toolOf('ipfsPin', 'platform', {
				operation: 'uploadJson',
				bucketId: 'BUCK-2',
				json: fromModel('content'),
			}),
		description: 'Upload and pin JSON to IPFS in Chain IPFS Pin',
		field: 'content',
		value: () => JSON.stringify({ made: randomHex(8) }),
		heard: async (value) => `"cid":"${await computeCid(value)}"`,
		fields: ['id', 'cid', 'public_link'],
		mostBytes: 1000,
	},
	faucet: {
		tool: () => toolOf('faucet', 'platform', { chain: 'hoodi', address: fromModel('address') }),
		description: 'Request testnet funds in Chain Faucet',
		field: 'address',
		value: () => randomHex(20),
		heard: (value) => `"address":"${value}"`,
		fields: ['chain', 'address', 'transactionHash'],
		mostBytes: 1000,
	},
	utilities: {
		tool: () =>
			toolOf('utilities', 'nobody', {
				resource: 'amount',
				operation: 'convert',
				from: 'ether',
				to: 'gwei',
				amount: fromModel('amount'),
			}),
		description: 'Convert amount in Chain Utilities',
		field: 'amount',
		value: () => String(1 + (randomBytes(1)[0] ?? 0)),
		heard: (value) => `"amount":"${value}000000000"`,
		isEchoed: true,
		fields: ['amount'],
		mostBytes: 100,
	},
	signer: {
		tool: () =>
			toolOf('signer', 'key', {
				resource: 'message',
				operation: 'sign',
				message: fromModel('message'),
			}),
		description: 'Sign message in Chain Signer',
		field: 'message',
		value: () => `Sign in as ${randomHex(8)}`,
		heard: async (message) =>
			`"signature":"${await privateKeyToAccount(TEST_KEY).signMessage({ message })}"`,
		isEchoed: true,
		fields: ['signature', 'signer'],
		mostBytes: 300,
	},
	pay: {
		tool: () =>
			toolOf('pay', 'payer', {
				operation: 'preview',
				chain: 'evm',
				to: fromModel('receiver'),
				amount: '0.001',
			}),
		description: 'Preview payment in Chain Pay',
		field: 'receiver',
		value: () => randomHex(20),
		heard: (value) => `"to":"${value}"`,
		fields: ['summary', 'maxCost', 'allowed', 'rule'],
		mostBytes: 1000,
	},
	grpc: {
		tool: () =>
			toolOf('grpc', 'xToken', {
				service: 'chain.v1.ChainService',
				method: 'GetBlock',
				request: fromModel('request'),
			}),
		description: 'Call gRPC method in Chain gRPC',
		field: 'request',
		value: () => JSON.stringify({ number: String(BigInt(randomHex(8))) }),
		heard: (value) => value.slice(1, -1),
		isEchoed: true,
		fields: ['number', 'hash'],
		mostBytes: 1000,
	},
};
