import type { INodeParameters } from 'n8n-workflow';
import type { Answer, Call } from '../../harness/fakeNode.mts';
import {
	ALICE,
	asRemoved,
	getLogNames,
	getLogNamesBetween,
	type LogRepetition,
	serveTransfers,
	TOKEN_ADDRESS,
	TRANSFERS,
} from '../../harness/fakeChain.mts';
import { DRIVERS, type RunningTrigger } from './support/driver.mts';
import { createFakeScene } from './support/fakeScene.mts';

type Filter = Readonly<Record<string, unknown>>;

const transfers = { event: 'tokenTransfer' };
const EACH: ReadonlyArray<[string, LogRepetition, INodeParameters]> = [
	['all', 'once', transfers],
	['all', 'twice', transfers],
	["a contract's logs and", 'once', { event: 'log', addresses: TOKEN_ADDRESS }],
	["a contract's logs and", 'twice', { event: 'log', addresses: TOKEN_ADDRESS }],
	["an account's", 'once', { ...transfers, accounts: ALICE }],
	["an account's", 'twice', { ...transfers, accounts: ALICE }],
];

describe.each(DRIVERS)('by %s', (_by, createDriver) => {
	const { node, start } = createFakeScene(createDriver);

	/** Expects the logs with the given names to arrive, and no others. */
	async function expectLogs(trigger: RunningTrigger, names: readonly string[]): Promise<void> {
		expect(getLogNames(await trigger.readAll(names.length))).toEqual(names);
		expect(trigger.failures).toEqual([]);
	}

	describe.each(EACH)(
		'%s transfers, whose logs count within their transaction and are named %s, come once each and in order',
		(_what, times, parameters) => {
			test('of new blocks, of those of an outage, and of another branch', async () => {
				serveTransfers(node, times);
				const trigger = await start(parameters);
				node.mine(2);
				await expectLogs(trigger, getLogNamesBetween(11, 12));
				node.height += 3;
				node.disconnect();
				await expectLogs(trigger, getLogNamesBetween(11, 15));
				node.jumpTo(16, 14);
				await expectLogs(trigger, [
					...getLogNamesBetween(11, 15),
					...asRemoved(getLogNamesBetween(14, 15)),
					...getLogNamesBetween(14, 16, 1),
				]);
			});

			test('after a restart, taken back too', async () => {
				serveTransfers(node, times);
				const trigger = await start(parameters);
				node.mine(3);
				await expectLogs(trigger, getLogNamesBetween(11, 13));
				node.reorganize(12, 14);
				await expectLogs(await trigger.restart(), [
					...asRemoved(getLogNamesBetween(12, 13)),
					...getLogNamesBetween(12, 14, 1),
				]);
			});
		},
	);

	const asked = ({ params: [filter] }: Call) => filter as Filter;
	const asking = (call: Call, changes: Filter): Call => ({
		...call,
		params: [{ ...asked(call), ...changes }],
	});
	const isOfOneBlock = (call: Call) => Object.hasOwn(asked(call), 'blockHash');
	const beside = (block: unknown, by: number) => `0x${(Number(block) + by).toString(16)}`;

	/** Each row describes a chain node that answers another question than was asked, or changes its answer. */
	const odd: ReadonlyArray<[string, (call: Call) => Call, (logs: unknown[]) => unknown]> = [
		[
			'are of the latest block, whichever was asked for',
			(call) =>
				isOfOneBlock(call) ? asking(call, { blockHash: node.buildBlock(node.height).hash }) : call,
			(logs) => logs,
		],
		[
			'span more blocks than were asked for',
			(call) =>
				isOfOneBlock(call)
					? call
					: asking(call, {
							fromBlock: beside(asked(call).fromBlock, -1),
							toBlock: beside(asked(call).toBlock, 1),
						}),
			(logs) => logs,
		],
		['are in no order', (call) => call, (logs) => logs.reverse()],
	];

	test.each(odd)(
		'from a node whose answers %s, each log comes once and in order, after a restart too',
		async (_how, question, answer) => {
			const bad: Answer = (call) => answer(node.truth(question(call)) as unknown[]);
			node.contentsOf = () => TRANSFERS;
			const trigger = await start(transfers);
			node.mine();
			await expectLogs(trigger, getLogNamesBetween(11, 11));
			node.setAnswers({ eth_getLogs: bad });
			node.mine(3);
			await expectLogs(trigger, getLogNamesBetween(11, 14));
			node.jumpTo(17);
			await expectLogs(trigger, getLogNamesBetween(11, 17));
			node.height += 2;
			await expectLogs(await trigger.restart(), getLogNamesBetween(18, 19));
		},
	);

	test('a node that searches few blocks at a time is asked for fewer', async () => {
		serveTransfers(node, 'once', 10);
		const trigger = await start(transfers);
		node.jumpTo(90);
		await expectLogs(trigger, getLogNamesBetween(11, 90));
		expect(node.handshakes.length).toBeLessThanOrEqual(1);
	});
});
