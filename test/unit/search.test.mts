import { sublimeSearch } from '@n8n/utils/search/sublime-search';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import grpcManifest from '../../grpc/package.json';
import manifest from '../../package.json';
import signerManifest from '../../signer/package.json';

/** What n8n's panel of nodes shows for what is typed, the best first. It searches names and aliases, not descriptions. */
function found(typed: string): string[] {
	return sublimeSearch(typed, panel).map(({ item }) => item.properties.name);
}

let panel: Array<{ properties: INodeTypeDescription }>;

beforeAll(async () => {
	panel = await Promise.all([
		...manifest.n8n.nodes.map((path) => itemOf(path.replace('dist', '../..'))),
		...grpcManifest.n8n.nodes.map((path) => itemOf(path.replace('dist', '../../grpc'))),
		...signerManifest.n8n.nodes.map((path) => itemOf(path.replace('dist', '../../signer'))),
	]);
});

async function itemOf(path: string) {
	const source = path.replace(/\.js$/, '');
	const [node] = Object.values<new () => INodeType>(await import(source));
	const { default: codex } = await import(`${source}.json`);
	return { properties: { ...new node!().description, codex } };
}

const EVM = 'evmRpc';
const EVENTS = 'evmRpcTrigger';
const ACTIVITY = 'activityTrigger';
const UTILITIES = 'utilities';

test.each([
	['token', [EVM, EVENTS, ACTIVITY]],
	['erc20', [EVM, EVENTS, ACTIVITY]],
	['transfer', [EVM, EVENTS, ACTIVITY, 'trace']],
	['transaction', [EVM, EVENTS, ACTIVITY, 'trace']],
	['polygon', [EVM, EVENTS, ACTIVITY, 'trace']],
	['ethereum', [EVM, EVENTS, ACTIVITY, 'trace']],
	['wallet', [EVM, EVENTS, ACTIVITY, 'trace', 'witnessWallet']],
	['nft', [EVM, EVENTS, ACTIVITY, 'ipfsPin']],
	['erc721', [EVM, EVENTS, ACTIVITY]],
	['erc1155', [EVM, EVENTS, ACTIVITY]],
	['nft transfer', [EVENTS, ACTIVITY]],
	['nft owner', [EVM]],
	['solidity', [EVM, EVENTS]],
	['payment', [EVM, EVENTS, ACTIVITY]],
	['contract', [EVM, EVENTS]],
	['smart contract', [EVM, EVENTS, 'trace', 'l2Simulate', 'tonFee']],
	['balance', [EVM]],
	['block explorer', [EVM, 'trace']],
	['gas', [EVM, 'tonFee']],
	['gas price', [EVM]],
	['receipt', [EVM]],
	['webhook', [EVENTS, ACTIVITY]],
	['monitor', [EVENTS, ACTIVITY]],
	['watch', [EVENTS, ACTIVITY]],
	['deposit', [EVENTS, ACTIVITY]],
	['mempool', [EVENTS]],
	['websocket', [EVENTS]],
	['internal transactions', ['trace', ACTIVITY]],
	['pin', ['ipfsPin']],
	['upload', ['ipfsPin']],
	['file', ['ipfsPin']],
	['cid', ['ipfsPin']],
	['faucet', ['faucet']],
	['testnet', ['faucet']],
	['sepolia', ['faucet']],
	['fee', ['tonFee', EVM]],
	['toncoin', ['tonFee']],
	['rollup', ['l2Simulate']],
	['simulate', ['l2Simulate']],
	['layer 2', ['l2Simulate']],
	['vote', ['witnessWallet']],
	['witness', ['witnessWallet']],
	['tron', ['witnessWallet']],
	['staking', ['witnessWallet']],
	['freeze', ['witnessWallet']],
	['trc-20', ['witnessWallet']],
	['ton api', ['tonFee']],
	['project', ['platform']],
	['organization', ['platform']],
	['wei', [UTILITIES]],
	['gwei', [UTILITIES]],
	['ether', [UTILITIES]],
	['convert', [UTILITIES]],
	['units', [UTILITIES]],
	['checksum', [UTILITIES]],
	['base58', [UTILITIES]],
	['tron address', [UTILITIES]],
	['ton address', [UTILITIES]],
	['create2', [UTILITIES]],
	['abi encode', [UTILITIES]],
	['encode', [UTILITIES]],
	['decode', [UTILITIES]],
	['calldata', [UTILITIES]],
	['selector', [UTILITIES]],
	['keccak', [UTILITIES]],
	['sha256', [UTILITIES]],
	['eip-712', [UTILITIES]],
	['eip712', [UTILITIES]],
	['namehash', [UTILITIES]],
	['hash', [EVM, 'ipfsPin', UTILITIES]],
	['grpc', ['grpc']],
	['protobuf', ['grpc']],
	['sign', ['signer']],
	['private key', ['signer']],
	['EIP-712', ['signer', 'utilities']],
])('whoever types %p is shown the fitting nodes first', (typed, expected) => {
	expect(found(typed).slice(0, expected.length).sort()).toEqual([...expected].sort());
});

test.each(['blockchain', 'crypto', 'web3', 'chain'])('%p finds every node', (typed) => {
	expect(found(typed)).toHaveLength(panel.length);
});

test('what nobody builds finds nothing', () => {
	expect(found('spreadsheet')).toEqual([]);
});
