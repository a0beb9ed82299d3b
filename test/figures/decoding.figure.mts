import { encodeFunctionResult, parseAbi } from 'viem';
import { abiParser } from '../../nodes/core/evm/abi/abi';
import {
	decodeFunctionResult,
	encodeFunctionData,
	getFunction,
} from '../../nodes/core/evm/abi/call';
import { runNode } from '../harness/engine.mts';
import { createScratchNode } from '../harness/scratchNode.mts';
import { figure } from './figure.mts';

const COUNT = 1000;
const ROUNDS = 7;
const ACCOUNT = '0x00000000000000000000000000000000000000AA';
const SIGNATURE = 'function getReserves(address) view returns (uint112 a, uint112 b, uint32 time)';

/** Returns the median over some rounds of the milliseconds for all of these. */
function median(work: (index: number) => unknown): number {
	const times = Array.from({ length: ROUNDS }, () => {
		const begun = performance.now();
		for (let index = 0; index < COUNT; index++) work(index);
		return performance.now() - begun;
	});
	return times.sort((a, b) => a - b)[ROUNDS >> 1] as number;
}

/** Measures in a node how long n8n takes to evaluate an expression for each item. */
async function timeOfExpressions(value: string): Promise<number> {
	let milliseconds = 0;
	const node = createScratchNode((context) => {
		milliseconds = median((index) => context.getNodeParameter('value', index));
		return undefined;
	});
	const items = Array.from({ length: COUNT }, (_, number) => ({ json: { number } }));
	await runNode({ node, parameters: { value }, credentials: {}, items });
	return milliseconds;
}

test('calls and results', async () => {
	const abi = abiParser('function')(SIGNATURE);
	const called = getFunction(abi, undefined);
	const results = Array.from({ length: COUNT }, (_, index) =>
		encodeFunctionResult({
			abi: parseAbi([SIGNATURE]),
			result: [BigInt(index) ** 9n, 5n, index],
		}),
	);
	const print = (what: string, milliseconds: number) =>
		figure(`${COUNT.toLocaleString('en')} ${what}: ${milliseconds.toFixed(1)} ms`);
	print(
		'results of a function decoded',
		median((index) => decodeFunctionResult(called, results[index] ?? '')),
	);
	print(
		'calls encoded',
		median(() => encodeFunctionData(called, [ACCOUNT])),
	);
	print('expressions evaluated by n8n', await timeOfExpressions('={{ $json.number }}'));
});
