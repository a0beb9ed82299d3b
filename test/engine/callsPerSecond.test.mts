import { sleep, type IDataObject, type INodeParameters, type INodeType } from 'n8n-workflow';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { Faucet } from '../../nodes/Faucet/Faucet.node';
import { IpfsPin } from '../../nodes/IpfsPin/IpfsPin.node';
import { L2Simulate } from '../../nodes/L2Simulate/L2Simulate.node';
import { Platform } from '../../nodes/Platform/Platform.node';
import { TonFee } from '../../nodes/TonFee/TonFee.node';
import { Trace } from '../../nodes/Trace/Trace.node';
import { WitnessWallet } from '../../nodes/WitnessWallet/WitnessWallet.node';
import { runNode, type NodeRun } from '../harness/engine.mts';
import {
	answerCalls,
	getCalls,
	sendJson,
	startServer,
	createTestServer,
} from '../harness/server.mts';

/** These tests check the option Max Calls per Second in every node that has it. */

const ADDRESS = `0x${'ab'.repeat(20)}`;
/** Reads a balance. Each item reads the balance of another account, so that no requests are shared. */
const BALANCE = {
	resource: 'account',
	operation: 'getBalance',
	address: `={{ "0x" + String($json.item).padStart(40, "0") }}`,
};
const INVOKE =
	'={{ [{ type: "INVOKE", version: "0x1", sender_address: "0x1", nonce: "0x" + $json.item }] }}';

const server = createTestServer((received, response) => {
	if (received.text.includes('"jsonrpc"')) {
		answerCalls(received, response, ({ method }) => ({ result: answerTo(method) }));
	} else sendJson(response, 200, { id: 'PIN-1', url: 'https://example.com/tx/0x1', result: true });
});

const answerTo = (method: string) => (/trace_filter|simulate/.test(method) ? [] : '0x1');

type Case = readonly [name: string, node: INodeType, own: INodeParameters];

const CASES: readonly Case[] = [
	['Platform', new Platform(), { resource: 'organization' }],
	['IPFS Pin', new IpfsPin(), { operation: 'uploadJson', bucketId: 'B', json: '{}' }],
	['Faucet', new Faucet(), { chain: 'sepolia', address: ADDRESS }],
	['EVM RPC', new EvmRpc(), BALANCE],
	[
		'EVM RPC that sends',
		new EvmRpc(),
		{ resource: 'rpc', method: 'eth_sendRawTransaction', params: '={{ [$json.item] }}' },
	],
	['Trace', new Trace(), { fromBlock: '1', toBlock: '={{ $json.item + 1 }}' }],
	['L2 Simulate', new L2Simulate(), { transactions: INVOKE }],
	['Witness Wallet', new WitnessWallet(), { operation: 'list' }],
	['TON Fee', new TonFee(), { address: `0:${'0'.repeat(64)}`, body: 'AAAA' }],
];

async function timed(node: INodeType, parameters: INodeParameters, more: Partial<NodeRun> = {}) {
	const begun = performance.now();
	const result = await runNode({
		node,
		parameters,
		credentials: { ...server.credentials.platform, ...server.credentials.token },
		onError: 'continueRegularOutput',
		...more,
	});
	return { ...result, milliseconds: performance.now() - begun };
}

const numbered = (count: number) =>
	Array.from({ length: count }, (_, item): { json: IDataObject } => ({ json: { item } }));

test.each(CASES)('%s waits', async (_, node, own) => {
	const parameters = { ...own, options: { maxCallsPerSecond: 1 } };
	const { milliseconds } = await timed(node, parameters, { items: numbered(2) });
	expect(server.received.flatMap(getCalls)).toHaveLength(2);
	expect(milliseconds).toBeGreaterThanOrEqual(1000);
});

test('a batch has no more calls than a second may have', async () => {
	const parameters = { ...BALANCE, options: { maxCallsPerSecond: 25 } };
	const { items, milliseconds } = await timed(new EvmRpc(), parameters, { items: numbered(60) });
	expect(items.map(({ json }) => json.error)).toEqual(Array(60).fill(undefined));
	expect(server.received.map((one) => getCalls(one).length)).toEqual([25, 25, 10]);
	expect(milliseconds).toBeGreaterThanOrEqual(2000);
});

test('the path that is tried after another counts as well', async () => {
	const parameters = {
		resource: 'block',
		operation: 'get',
		options: { maxCallsPerSecond: 1 },
	};
	const elsewhere = await startServer((one, response) => {
		if (one.path === '/evm') sendJson(response, 404, {});
		else answerCalls(one, response, () => ({ result: null }));
	});
	const run = { credentials: elsewhere.credentials.token };
	const { milliseconds } = await timed(new EvmRpc(), parameters, run);
	await elsewhere.stop();
	expect(elsewhere.received.map(({ path }) => path)).toEqual(['/evm', '']);
	expect(milliseconds).toBeGreaterThanOrEqual(1000);
});

test("n8n's stop button ends the wait", async () => {
	const parameters = { ...BALANCE, options: { maxCallsPerSecond: 0.01 } };
	const firstAnswered = async () => {
		while (server.received.length === 0 || server.open() > 0) await sleep(5);
		await sleep(50);
	};
	const more = { items: numbered(5), stopAfter: firstAnswered, onError: undefined };
	expect((await timed(new EvmRpc(), parameters, more)).status).toBe('canceled');
	expect(server.received).toHaveLength(1);
});

test('what is no such number is refused by the name of the option', async () => {
	const parameters = { resource: 'organization', options: { maxCallsPerSecond: -1 } };
	const { items } = await timed(new Platform(), parameters);
	expect(items[0]?.json.error).toBe(
		"'Options > Max Calls per Second' must be 0 or a number from 0.01 to 10000; got -1",
	);
	expect(server.received).toEqual([]);
});
