import type { INodeParameters } from 'n8n-workflow';
import { buildBloom } from '../../../../nodes/core/follow/bloom';
import { buildBlock, type Call } from '../../../harness/fakeNode.mts';
import {
	ALICE,
	getLogNamesBetween,
	getLogNames,
	asRemoved,
	type LogRepetition,
	buildTransfers,
	createTransferAnswers,
} from '../../../harness/transfersChain.mts';
import { fakeScene } from '../support/fakeScene.mts';
import { moment } from '../support/scene.mts';

const { node, listening } = fakeScene();

const transfers = { event: 'tokenTransfer', accounts: ALICE };
const EACH: ReadonlyArray<[string, LogRepetition, INodeParameters]> = [
	['logs', 'once', { event: 'log' }],
	['logs', 'twice', { event: 'log' }],
	['transfers', 'once', transfers],
	['transfers', 'twice', transfers],
];

describe.each(EACH)(
	'%s that count within their transaction, named %s, come once each and in order',
	(_what, times, parameters) => {
		/** Waits until these have arrived, and expects nothing else. */
		async function listened(trigger: Awaited<ReturnType<typeof listening>>, names: string[]) {
			await trigger.has(names.length);
			await moment(50);
			expect(getLogNames(trigger.items())).toEqual(names);
			expect(trigger.failures).toEqual([]);
		}

		test('of blocks that are announced, of those of an outage, and of another branch', async () => {
			node.setAnswers(createTransferAnswers(node, times));
			const trigger = await listening(parameters);
			node.mine(2);
			await listened(trigger, getLogNamesBetween(11, 12));
			node.height += 3;
			node.disconnect();
			await listened(trigger, getLogNamesBetween(11, 15));
			Object.assign(node, { height: 16, fork: 14 });
			node.announce(buildBlock(16, 14));
			await listened(trigger, [
				...getLogNamesBetween(11, 15),
				...asRemoved(getLogNamesBetween(14, 15)),
				...getLogNamesBetween(14, 16, 14),
			]);
		});

		test('after a restart, taken back too', async () => {
			node.setAnswers(createTransferAnswers(node, times));
			const trigger = await listening(parameters);
			node.mine(3);
			await listened(trigger, getLogNamesBetween(11, 13));
			await trigger.close();
			Object.assign(node, { height: 14, fork: 12 });
			const next = await listening(parameters, { mode: 'init', staticData: trigger.stored() });
			await listened(next, [
				...asRemoved(getLogNamesBetween(12, 13)),
				...getLogNamesBetween(12, 14, 12),
			]);
		});

		test.each(['all logs of the block', 'its receipts'])(
			'where only %s hold them yet',
			async (where) => {
				const chain = createTransferAnswers(node, times);
				const withBody = (number: number) => ({
					...buildBlock(number),
					gasUsed: '0x5208',
					transactions: ['0x1', '0x2', '0x3'],
					logsBloom: `0x${buildBloom(buildTransfers(number)).toString('hex')}`,
				});
				const isOfAll = ({ params: [asked] }: Call) =>
					where === 'all logs of the block' && !Object.hasOwn(asked as object, 'topics');
				node.setAnswers({
					...chain,
					eth_getBlockByNumber: (call) => {
						const found = node.block(call);
						return found && withBody(Number(found.number));
					},
					eth_getLogs: (call, client) => (isOfAll(call) ? chain.eth_getLogs?.(call, client) : []),
					eth_getBlockReceipts: ({ params: [hash] }) =>
						[11, 12, 13, 14]
							.filter((number) => buildBlock(number).hash === hash)
							.flatMap((number) => buildTransfers(number))
							.flatMap((log) => new Array(times === 'once' ? 1 : 2).fill({ logs: [log] })),
				});
				const trigger = await listening(parameters);
				node.announce(withBody(++node.height));
				await listened(trigger, getLogNamesBetween(11, 11));
				node.height += 3;
				node.announce(withBody(node.height));
				await listened(trigger, getLogNamesBetween(11, 14));
			},
		);
	},
);
