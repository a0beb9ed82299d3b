import { setTimeout as pause } from 'node:timers/promises';
import { CallData, createAbiParser, events as reference, hash, type Abi } from 'starknet';
import { parseStarkAbi } from '../../../nodes/core/stark/abi/abi';
import { createEventDecoder } from '../../../nodes/core/stark/abi/event';
import { formatEvent } from '../../../nodes/core/stark/eventItems';
import { parseEvent } from '../../../nodes/core/stark/events';
import { Stark } from '../../../nodes/Stark/Stark.node';
import { everythingClass } from '../../../sandbox/apis/stark/contracts/everything.mts';
import { runNode } from '../../harness/engine.mts';
import { figure } from '../../harness/figure.mts';
import { answerCalls, createTestServer, type RpcCall } from '../../harness/server.mts';
import { measureCpu } from '../resources.mts';

const CALLS = 1000;
const LATENCY_MS = 25;
const CONTRACT = '0x1234';

const results: Readonly<Record<string, (call: RpcCall) => unknown>> = {
	getClassAt: () => everythingClass.json,
	call: ({ params: [request] }) => (request as { calldata: unknown }).calldata,
};

const server = createTestServer(async (received, response) => {
	await pause(LATENCY_MS);
	answerCalls(received, response, (call) => {
		const [, method = ''] = call.method.split('_');
		return { result: results[method]?.(call) };
	});
});

async function runCalls() {
	const begun = performance.now();
	const { items, error } = await runNode({
		node: new Stark(),
		parameters: {
			resource: 'contract',
			operation: 'call',
			contract: CONTRACT,
			function: 'echo_u64',
			argumentsBy: 'json',
			arguments: '=["{{ $json.id }}"]',
		},
		credentials: server.credentials.token,
		items: Array.from({ length: CALLS }, (_, id) => ({ json: { id } })),
	});
	expect(error?.message).toBeUndefined();
	expect(items.map(({ json }) => json.result)).toEqual(items.map((_, id) => String(id)));
	return (performance.now() - begun) / 1000;
}

test('calls of functions', async () => {
	const first = await runCalls();
	const sent = server.received.length;
	const times = [await runCalls(), await runCalls(), await runCalls()];
	figure(
		`${CALLS.toLocaleString('en')} calls of a function, each answer after ${LATENCY_MS} ms: ${sent} requests, ${Math.min(...times).toFixed(2)} s (at first ${first.toFixed(2)} s)`,
	);
});

const EVENTS = 10_000;
const ROUNDS = 5;

/** The events in the form of a node's answer. The number is a key, and the note is a text of two words. */
const emitted = Array.from({ length: EVENTS }, (_, id) => ({
	from_address: CONTRACT,
	keys: [hash.getSelectorFromName('Plain'), `0x${id.toString(16)}`],
	data: ['0x1', `0x${'61'.repeat(31)}`, '0x6869', '0x2'],
	block_number: 1,
	block_hash: '0x2',
	transaction_hash: '0x3',
}));

function decodeEvents(): string {
	const abi = parseStarkAbi(everythingClass.abi);
	const decode = createEventDecoder(abi, abi.events);
	const items = emitted.map((one) => formatEvent(parseEvent(one), decode));
	return String(items.at(-1)?.args?.id);
}

function decodeEventsByReference(): string {
	const abi = everythingClass.abi as unknown as Abi;
	const parsed = reference.parseEvents(
		emitted as never,
		reference.getAbiEvents(abi),
		CallData.getAbiStruct(abi),
		CallData.getAbiEnum(abi),
		createAbiParser(abi),
	);
	const { 'sandbox::everything::Plain': last } = parsed.at(-1) ?? {};
	return String(last?.id);
}

async function measureBest(work: () => string): Promise<number> {
	const times: number[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		times.push(await measureCpu(() => expect(work()).toBe(String(EVENTS - 1))));
	}
	return Math.min(...times);
}

test('events that are decoded', async () => {
	const ours = await measureBest(decodeEvents);
	const theirs = await measureBest(decodeEventsByReference);
	figure(
		`${EVENTS.toLocaleString('en')} events decoded in ${ours.toFixed(0)} ms of the processor, by the reference client in ${theirs.toFixed(0)} ms: ${(ours / theirs).toFixed(2)} times as long`,
	);
});
