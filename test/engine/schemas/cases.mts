import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';
import { utils } from 'tronweb';
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import { EvmRpc } from '../../../nodes/EvmRpc/EvmRpc.node';
import { Faucet } from '../../../nodes/Faucet/Faucet.node';
import { IpfsPin } from '../../../nodes/IpfsPin/IpfsPin.node';
import { L2Simulate } from '../../../nodes/L2Simulate/L2Simulate.node';
import { Platform } from '../../../nodes/Platform/Platform.node';
import { TonFee } from '../../../nodes/TonFee/TonFee.node';
import { Trace } from '../../../nodes/Trace/Trace.node';
import { Utilities } from '../../../nodes/Utilities/Utilities.node';
import { formatWitnessAddresses } from '../../../nodes/core/witness/address';
import { WitnessWallet } from '../../../nodes/WitnessWallet/WitnessWallet.node';

/** The contents of the test's chain. */
export interface Scene {
	readonly owner: string;
	readonly token: string;
	/** A contract with the token 1 of the owner. */
	readonly nfts: string;
	readonly transactionHash: string;
	readonly blockHash: string;
	/** Runs the node for a case that needs the output of another operation. */
	first(node: INodeType, parameters: INodeParameters): Promise<IDataObject>;
}

type Parameters = INodeParameters | ((scene: Scene) => INodeParameters | Promise<INodeParameters>);

export interface Case {
	readonly node: INodeType;
	/** The folder of its schema. */
	readonly folder: string;
	readonly resource: string;
	readonly operation: string;
	/** There are several where none gives every field a value. */
	readonly parameters: readonly Parameters[];
}

const KEY = '1'.repeat(64);
const OWNER = utils.address.fromPrivateKey(KEY) as string;
const WITNESS = 'THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC';
const VOTES = { vote: [{ voteAddress: WITNESS, voteCount: '5' }] };
const BUILT = { ownerAddress: OWNER, amount: '1.5' };
const INVOKE = {
	type: 'INVOKE',
	max_fee: '0x28ed6103d0000',
	version: '0x1',
	signature: ['0x1'],
	sender_address: '0x143fe26927dd6a3',
	calldata: ['0x1', '0x2'],
	nonce: '0x5',
};
/** A transfer of 0.1 TON, signed for the wallet that exists at every address of the sandbox. */
const MESSAGE = {
	address: 'EQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k55Q',
	body: 'te6cckEBAgEAkAABnGIffYtEDi00SI1hxlpMB21qS1dyvzPlsznnVVaU4ssczbEZBljxXAi6YTDiMp5koqBwLf1YdM13gdiujRSRUAwpqaMX/////wAAAAAAAwEAekIAKrYXY930G8NrC+dlvhfNzivfRpmbwJW6iJJTzZuzGsmgL68IAAAAAAAAAAAAAAAAAAAAAAAAaGVsbG8EOJ5v',
};
const TRANSFER = 'Transfer(address indexed from, address indexed to, uint256 value)';

async function signedMessage(): Promise<string> {
	return await privateKeyToAccount(`0x${KEY}`).signMessage({ message: '' });
}

async function signedTransfer(): Promise<string> {
	const sender = mnemonicToAccount('test test test test test test test test test test test junk', {
		addressIndex: 8,
	});
	return await sender.signTransaction({
		type: 'eip1559',
		chainId: 31337,
		nonce: 0,
		gas: 21_000n,
		value: 1n,
		to: sender.address,
		maxFeePerGas: 10n ** 11n,
		maxPriorityFeePerGas: 1n,
	});
}

async function signedVote({ first }: Scene): Promise<INodeParameters> {
	const built = await first(new WitnessWallet(), {
		operation: 'vote',
		ownerAddress: OWNER,
		votes: VOTES,
	});
	return { transaction: JSON.stringify(utils.crypto.signTransaction(KEY, built as never)) };
}

/** The account that has voted. */
async function votedAccount(scene: Scene): Promise<INodeParameters> {
	const signed = await signedVote(scene);
	await scene.first(new WitnessWallet(), { operation: 'broadcast', ...signed });
	return { address: OWNER };
}

const witnessToken = ({ token }: Scene) => formatWitnessAddresses(token.slice(2)).base58;

/** The transfer exceeds the account's tokens: it fails, with a reason. */
async function failedTransfer(scene: Scene): Promise<INodeParameters> {
	const wallet = async (parameters: INodeParameters) =>
		await scene.first(new WitnessWallet(), parameters);
	const built = await wallet({
		resource: 'transaction',
		operation: 'buildTokenTransfer',
		...BUILT,
		toAddress: WITNESS,
		token: witnessToken(scene),
	});
	const transaction = JSON.stringify(utils.crypto.signTransaction(KEY, built as never));
	const { txid } = await wallet({ operation: 'broadcast', transaction });
	const transactionId = String(txid);
	await wallet({ resource: 'transaction', operation: 'wait', transactionId });
	return { transactionId };
}

type Listed = readonly [resource: string, operation: string, ...parameters: Parameters[]];

const cases = (node: INodeType, folder: string, list: readonly Listed[]): Case[] =>
	list.map(([resource, operation, ...parameters]) => ({
		node,
		folder,
		resource,
		operation,
		parameters,
	}));

const ofTransaction: Parameters = ({ transactionHash }) => ({ transactionHash });
const ofOwner: Parameters = ({ owner }) => ({ address: owner });

/** Calls of contracts or of any method are missing, because nobody knows their output before. */
export const CASES: readonly Case[] = [
	...cases(new EvmRpc(), 'EvmRpc', [
		['account', 'getBalance', ofOwner],
		['account', 'getCode', ofOwner],
		['account', 'getTransactionCount', ofOwner],
		['block', 'get', {}],
		['block', 'getByTime', { time: 4_000_000_000 }],
		['block', 'getSystemTransactions', { block: '0x0' }],
		['chain', 'get', {}],
		['contract', 'estimateGas', ({ token }) => ({ to: token, function: 'totalSupply()' })],
		['fee', 'get', {}],
		['fee', 'getMaxPriority', {}],
		['log', 'getAll', { event: TRANSFER, fromBlock: 'earliest' }],
		['name', 'lookup', ({ owner }) => ({ address: owner })],
		['name', 'resolve', { name: 'wallet.example.eth', records: 'url' }],
		[
			'signature',
			'verify',
			async ({ owner }) => ({ address: owner, signature: await signedMessage() }),
		],
		[
			'nft',
			'get',
			({ nfts }) => ({ contract: nfts, tokenId: '1' }),
			({ nfts }) => ({ contract: nfts, tokenId: '2' }),
		],
		['nft', 'getBalance', ({ nfts, owner }) => ({ contract: nfts, owner, tokenId: '1' })],
		['nft', 'getTransfers', { fromBlock: 'earliest' }],
		['token', 'get', ({ token }) => ({ token })],
		['token', 'getAllowance', ({ token, owner }) => ({ token, owner, spender: owner })],
		['token', 'getBalance', ({ token, owner }) => ({ token, owner })],
		['token', 'getTransfers', { fromBlock: 'earliest' }],
		['transaction', 'get', ofTransaction],
		[
			'transaction',
			'getByBlockHashAndIndex',
			({ blockHash }) => ({ blockHash, transactionIndex: '0' }),
		],
		['transaction', 'getReceipt', ofTransaction],
		['transaction', 'prepare', ({ owner }) => ({ from: owner, to: owner, amount: '1' })],
		['transaction', 'wait', ofTransaction],
		['transaction', 'send', async () => ({ signedTransaction: await signedTransfer() })],
	]),
	...cases(new Trace(), 'Trace', [['trace', 'filter', { fromBlock: '0' }]]),
	...cases(new L2Simulate(), 'L2Simulate', [
		['simulation', 'simulate', { transactions: JSON.stringify(INVOKE) }],
	]),
	...cases(new WitnessWallet(), 'WitnessWallet', [
		['witness', 'vote', { ownerAddress: OWNER, votes: VOTES }],
		['witness', 'create', { ownerAddress: OWNER, url: 'https://example.com' }],
		['witness', 'list', { returnAll: true }],
		['witness', 'broadcast', signedVote],
		['account', 'get', votedAccount],
		['transaction', 'buildTransfer', { ...BUILT, toAddress: WITNESS }],
		[
			'transaction',
			'buildTokenTransfer',
			(scene) => ({ ...BUILT, toAddress: WITNESS, token: witnessToken(scene) }),
		],
		['transaction', 'buildFreeze', BUILT],
		['transaction', 'buildUnfreeze', BUILT],
		['transaction', 'get', failedTransfer],
		['transaction', 'wait', failedTransfer],
	]),
	...cases(new TonFee(), 'TonFee', [['fee', 'estimate', MESSAGE]]),
	...cases(new Utilities(), 'Utilities', [
		['address', 'convert', { address: WITNESS }, { address: MESSAGE.address }],
		['address', 'compute', ({ owner }) => ({ deployer: owner, nonce: '0' })],
		['amount', 'convert', { amount: '1' }],
		['data', 'encode', { function: 'totalSupply()' }],
		['hash', 'compute', { input: 'hello' }],
	]),
	...cases(new Platform(), 'Platform', [
		['organization', 'get', {}],
		['project', 'getAll', {}],
	]),
	...cases(new IpfsPin(), 'IpfsPin', [
		['pin', 'upload', { bucketId: 'BUCK-1', options: { folderId: 'FOLD-1' } }],
		['pin', 'uploadJson', { bucketId: 'BUCK-1', json: '{}', options: { folderId: 'FOLD-1' } }],
	]),
	...cases(new Faucet(), 'Faucet', [
		['faucet', 'request', ({ owner }) => ({ chain: 'sepolia', address: owner })],
	]),
];
