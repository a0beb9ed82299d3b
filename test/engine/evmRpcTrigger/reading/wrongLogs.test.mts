import type { IDataObject } from 'n8n-workflow';
import { blocksAsked, chainOf, logOf } from '../support/fakeChain.mts';
import { buildBlock, type Call, createFakeNode } from '../../../harness/fakeNode.mts';
import { moment, upTo } from '../support/scene.mts';
import { evmRpcTrigger, triggersOfATest } from '../support/triggers.mts';

const active = triggersOfATest();
const node = createFakeNode();
const filter = () => evmRpcTrigger({ event: 'log' }, node.credentials);

const two = (number: number) => [logOf(number, 1), logOf(number, 0)];
const good = (call: Call) => chainOf(node, { logs: 2 }).eth_getLogs(call);
const isOfOneBlock = ({ params: [asked] }: Call) => Object.hasOwn(asked as object, 'blockHash');

const placesOf = (items: readonly IDataObject[]) =>
	items.map(({ blockNumber, logIndex }) => [blockNumber, logIndex]);

describe('a node whose answers for logs', () => {
	test.each<[string, (call: Call) => unknown]>([
		[
			'are of the latest block, whichever was asked for',
			(call) => (isOfOneBlock(call) ? two(node.height) : good(call)),
		],
		[
			'span more blocks than were asked for',
			(call) => {
				const numbers = blocksAsked(call, node.height);
				return isOfOneBlock(call)
					? numbers.flatMap(two)
					: [Number(numbers[0]) - 1, ...numbers, Number(numbers.at(-1)) + 1].flatMap(two);
			},
		],
		['name each log twice', (call) => [...good(call), ...good(call)]],
		['are in no order', (call) => good(call).reverse()],
	])('%s: each log comes once and in order, after a restart too', async (_how, answer) => {
		node.setAnswers({ eth_getLogs: good });
		const trigger = await active(filter());
		node.mine();
		await trigger.has(2);
		node.setAnswers({ eth_getLogs: answer });
		node.mine(3);
		await trigger.has(8);
		node.height += 3;
		node.announce(buildBlock(node.height));
		await trigger.has(14);
		await trigger.close();
		node.mine(2);
		const staticData = trigger.stored();
		const next = await active(filter(), { mode: 'init', staticData });
		await next.has(4);
		await moment(50);
		const wanted = upTo(19, 9).flatMap((number) => [
			[number, 0],
			[number, 1],
		]);
		expect(placesOf([...trigger.items(), ...next.items()])).toEqual(wanted);
	});

	test('count within a transaction: all of them come', async () => {
		const trigger = await active(filter());
		const transactionHash = ['0x1', '0x2', '0x3'];
		const numbers = (call: Call) => blocksAsked(call, node.height);
		node.setAnswers({
			eth_getLogs: (call) =>
				numbers(call).flatMap((number) =>
					transactionHash.map((hash) => ({ ...logOf(number), transactionHash: hash })),
				),
		});
		node.mine();
		const items = await trigger.has(3);
		expect(items.map((log) => log.transactionHash)).toEqual(transactionHash);
	});
});
