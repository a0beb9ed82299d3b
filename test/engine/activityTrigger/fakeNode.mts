import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { INodeParameters } from 'n8n-workflow';
import { ActivityTrigger } from '../../../nodes/ActivityTrigger/ActivityTrigger.node';
import { pollingWorkflow } from '../../harness/poll.mts';
import { quantity } from './world.mts';

export interface Call {
	readonly id: number;
	readonly method: string;
	readonly params: readonly unknown[];
}

export type Answer = (call: Call) => unknown;

export const ADDRESS = `0x${'1'.repeat(40)}`;
export const WATCHING: INodeParameters = { event: 'addressActivity', addresses: ADDRESS };

/** A block of a chain that is made up; from a fork on, one of another branch. */
export const blockOf = (number: number, fork = Infinity) => ({
	number: quantity(number),
	hash: hashOf(number, fork),
	parentHash: hashOf(number - 1, fork),
	timestamp: quantity(number),
	transactions: [],
});

export const hashOf = (number: number, fork = Infinity) =>
	`0x${number < fork ? 'a' : 'b'}${Math.max(number, 0).toString(16).padStart(63, '0')}`;

/** A payment of the watched address to itself. */
export const traceOf = (number: number, index = 0, fork = Infinity) => ({
	blockNumber: number,
	blockHash: hashOf(number, fork),
	transactionHash: `0x${number}${index}`,
	transactionPosition: index,
	traceAddress: [],
	type: 'call',
	action: { from: ADDRESS, to: ADDRESS, value: '0x1', callType: 'call' },
	result: { gasUsed: '0x1' },
});

/** The blocks that a search spans. */
export function searched({ params: [filter] }: Call) {
	const { fromBlock, toBlock } = filter as Record<string, string>;
	return { from: Number(fromBlock), to: Number(toBlock) };
}

/** A node that answers over HTTP whatever a test wants. */
export class FakeNode {
	height = 10;
	/** The first block of another branch. */
	fork = Infinity;
	/** Answers to these methods, instead of the usual ones. */
	answers: Record<string, Answer> = {};
	private readonly server: Server = createServer(async (request, response) => {
		const asked = JSON.parse(await text(request)) as Call | Call[];
		response.setHeader('content-type', 'application/json');
		const emitted = Array.isArray(asked) ? asked.map(this.reply) : this.reply(asked);
		response.end(JSON.stringify(emitted));
	});

	async start(): Promise<void> {
		await once(this.server.listen(0, '127.0.0.1'), 'listening');
	}

	stop(): void {
		this.server.close();
		this.server.closeAllConnections();
	}

	reset(): void {
		this.height = 10;
		this.fork = Infinity;
		this.answers = {};
	}

	/** A workflow that polls this node. */
	workflow(parameters: INodeParameters, life?: Parameters<typeof pollingWorkflow>[1]) {
		const { port } = this.server.address() as AddressInfo;
		return pollingWorkflow(
			{
				node: new ActivityTrigger(),
				parameters: { authentication: 'token', ...parameters },
				credentials: {
					chainNodeTokenApi: { nodeUrl: `http://127.0.0.1:${port}`, authToken: 'token-of-a-test' },
				},
			},
			life,
		);
	}

	/** A workflow that has begun at the head. */
	async active(parameters: INodeParameters) {
		const workflow = this.workflow(parameters);
		expect(await workflow.activate()).toEqual({ items: [], error: undefined });
		return workflow;
	}

	/** The usual answer to a call for a block. */
	readonly block: Answer = ({ params: [asked] }) => {
		const number = asked === 'latest' ? this.height : Number(asked);
		return number > this.height ? null : blockOf(number, this.fork);
	};

	private readonly reply = (call: Call) => {
		const usual: Record<string, Answer> = {
			eth_chainId: () => '0x1',
			eth_getBlockByNumber: this.block,
			trace_filter: () => [],
		};
		const result = (this.answers[call.method] ?? usual[call.method])?.(call);
		return { jsonrpc: '2.0', id: call.id, result };
	};
}

/** A node for one test file, well-behaved at the beginning of each test. */
export function fakeNode(): FakeNode {
	const node = new FakeNode();
	beforeAll(async () => await node.start());
	afterAll(() => node.stop());
	beforeEach(() => node.reset());
	return node;
}
