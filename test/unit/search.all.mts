import type { INodePropertyOptions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import grpcManifest from '../../grpc/package.json';
import manifest from '../../package.json';
import signerManifest from '../../signer/package.json';
import { ACTION_WISHES, NODE_WISHES } from '../harness/searchTerms.mts';
import { listNodes, getName, searchItems, type ListedNode } from './support/nodePanel.mts';

const FIRST = 5;

let nodes: INodeTypeDescription[];
let panel: ListedNode[];

beforeAll(async () => {
	nodes = await Promise.all([
		...manifest.n8n.nodes.map((path) => described(path.replace('dist', '../..'))),
		...grpcManifest.n8n.nodes.map((path) => described(path.replace('dist', '../../grpc'))),
		...signerManifest.n8n.nodes.map((path) => described(path.replace('dist', '../../signer'))),
	]);
	panel = listNodes(nodes);
});

async function described(path: string): Promise<INodeTypeDescription> {
	const source = path.replace(/\.js$/, '');
	const [node] = Object.values<new () => INodeType>(await import(source));
	const { default: codex } = await import(`${source}.json`);
	return { ...new node!().description, codex };
}

function found(typed: string): string[] {
	return searchItems(typed, panel).map(({ properties }) => properties.name);
}

const EVM = 'evmRpc';
const ACTIVITY = 'activityTrigger';
const UTILITIES = 'utilities';

test.each([
	['token', [EVM, ACTIVITY]],
	['erc20', [EVM, ACTIVITY]],
	['transfer', [EVM, 'ton', 'witnessWallet', 'pay', ACTIVITY, 'trace']],
	['transaction', [EVM, 'stark', 'ton', 'witnessWallet', 'signer']],
	['polygon', [EVM, ACTIVITY, 'trace']],
	['ethereum', [EVM, ACTIVITY, 'trace']],
	['wallet', [EVM, 'ton', 'pay', 'signer']],
	['nft', [EVM, ACTIVITY, 'ipfsPin']],
	['erc721', [EVM, ACTIVITY]],
	['erc1155', [EVM, ACTIVITY]],
	['nft transfer', [EVM, ACTIVITY]],
	['nft owner', [EVM]],
	['solidity', [EVM]],
	['payment', [EVM, ACTIVITY, 'witnessWallet', 'pay']],
	['contract', [EVM]],
	['smart contract', [EVM, 'trace', 'l2Simulate', 'tonFee', 'witnessWallet', 'stark']],
	['balance', [EVM]],
	['token balance', [EVM, 'witnessWallet', 'ton', 'stark']],
	['wallet balance', [EVM, 'witnessWallet', 'ton']],
	['erc20 balance', [EVM]],
	['get balance', [EVM]],
	['send money', [EVM, 'witnessWallet', 'ton']],
	['usdt transfer', [EVM, 'witnessWallet', 'ton']],
	['wait for transaction', [EVM]],
	['mint nft', [EVM]],
	['watch contract event', [EVM, 'witnessWallet', 'stark']],
	['block explorer', [EVM, 'trace']],
	['gas', [EVM, 'tonFee']],
	['gas price', [EVM]],
	['low balance', [ACTIVITY]],
	['balance low', [ACTIVITY]],
	['balance alert', [ACTIVITY]],
	['price alert', [ACTIVITY]],
	['price feed', [EVM]],
	['x402', [EVM, 'signer']],
	['402', [EVM, 'signer']],
	['exchange rate', [EVM]],
	['receipt', [EVM]],
	['webhook', [EVM, ACTIVITY]],
	['monitor', [EVM, ACTIVITY, 'witnessWallet']],
	['watch', [EVM, ACTIVITY, 'witnessWallet']],
	['deposit', [EVM, ACTIVITY, 'witnessWallet']],
	['mempool', [EVM]],
	['websocket', [EVM]],
	['internal transactions', ['trace', ACTIVITY, 'witnessWallet']],
	['pin', ['ipfsPin']],
	['upload', ['ipfsPin']],
	['file', ['ipfsPin']],
	['cid', ['ipfsPin']],
	['verify cid', ['ipfsPin']],
	['pin json', ['ipfsPin']],
	['download file', ['ipfsPin']],
	['ipfs download', ['ipfsPin']],
	['ipfs gateway', ['ipfsPin']],
	['faucet', ['faucet']],
	['testnet', ['faucet']],
	['sepolia', ['faucet']],
	['fee', ['tonFee', EVM]],
	['toncoin', ['ton', 'tonFee']],
	['jetton', ['ton']],
	['ton dns', ['ton']],
	['ton balance', ['ton']],
	['rollup', ['l2Simulate', 'stark']],
	['starknet', ['stark', 'l2Simulate']],
	['cairo', ['stark', 'l2Simulate']],
	['starknet balance', ['stark']],
	['starknet events', ['stark']],
	['simulate', ['l2Simulate', EVM]],
	['simulate transaction', [EVM]],
	['layer 2', ['l2Simulate']],
	['vote', ['witnessWallet']],
	['witness', ['witnessWallet']],
	['tron', ['witnessWallet']],
	['staking', ['witnessWallet']],
	['freeze', ['witnessWallet']],
	['trc-20', ['witnessWallet']],
	['trc20 payment', ['witnessWallet']],
	['ton api', ['ton', 'tonFee']],
	['trx', ['witnessWallet']],
	['usdt', [EVM, 'ton', 'witnessWallet']],
	['contract events', [EVM, 'witnessWallet', 'stark']],
	['delegate energy', ['witnessWallet']],
	['stuck', [EVM]],
	['speed up', [EVM]],
	['portfolio', [EVM]],
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
	['ton address', ['ton', UTILITIES]],
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
	['sign stark transaction', ['signer']],
	['sign ton transfer', ['signer']],
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

describe.each([...ACTION_WISHES, ...NODE_WISHES])(
	'whoever types $word',
	({ word, node, actions }) => {
		test(`is shown ${node} among the first nodes`, () => {
			expect(searchItems(word, panel).slice(0, FIRST).map(getName)).toContain(node);
		});

		test(`can choose: ${actions.join(', ')}`, () => {
			const wanted = panel.find((one) => getName(one) === node);
			const all = wanted?.actions.map(({ properties }) => properties.displayName);
			expect(all).toEqual(expect.arrayContaining([...actions]));
		});
	},
);

test.each(ACTION_WISHES)('among the actions, $word has what is wanted first', (wish) => {
	expect(firstActions(wish.node, wish.word)).toEqual(expect.arrayContaining([...wish.actions]));
});

test.each(NODE_WISHES)('$node begins with what $word asks for', (wish) => {
	expect(firstActions(wish.node)).toEqual(expect.arrayContaining([...wish.actions]));
});

/** Lists the first actions of a node in n8n's node panel, or those that match the typed text. */
function firstActions(node: string, typed?: string): string[] {
	const { actions = [] } = panel.find((one) => getName(one) === node) ?? {};
	const shown = typed === undefined ? actions : searchItems(typed, actions);
	return shown.slice(0, FIRST).map(({ properties }) => properties.displayName);
}

test('n8n cuts no name that it gives the tool of an agent', () => {
	const names = nodes.flatMap(({ displayName, properties }) =>
		properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options = [] }) => options as INodePropertyOptions[])
			.map(({ action }) => `${action} in ${displayName}`),
	);
	expect(names.filter((name) => name.length > 64)).toEqual([]);
});

test('the words of a trigger find the node with which n8n lists it', () => {
	const pairs = nodes.flatMap((node) => {
		const trigger = nodes.find(({ name }) => name === `${node.name}Trigger`);
		return trigger ? [{ node, trigger }] : [];
	});
	expect(pairs.length).toBeGreaterThan(0);
	for (const { node, trigger } of pairs) {
		expect(node.codex?.alias).toEqual(expect.arrayContaining(trigger.codex?.alias ?? []));
	}
});
