import type { IDataObject } from 'n8n-workflow';
import { deployContract } from '../../../harness/contract.mts';
import { numberToHex, moment, scene } from '../support/scene.mts';

const { sandbox, on, active, height, mine, drop, set } = scene();

type Notes = Awaited<ReturnType<typeof deployContract>>;

const NOTE = 'note(uint256,uint256)';
const ERASE = 'erase(uint256)';

let notes: Notes;
let others: Notes;
beforeAll(async () => {
	notes = await deployContract(sandbox, 'Notes');
	others = await deployContract(sandbox, 'Notes');
});

const transaction = ({ address, owner, data }: Notes, method: string, ...words: number[]) => ({
	from: owner,
	to: address,
	data: data(method, ...words),
	gas: numberToHex(200_000),
});

async function send(...parts: Parameters<typeof transaction>): Promise<string> {
	return (await sandbox.mined(transaction(...parts))).transactionHash;
}

async function inOneBlock(...transactions: object[]): Promise<void> {
	await sandbox.chain('evm_setAutomine', false);
	for (const one of transactions) await sandbox.chain('eth_sendTransaction', one);
	await sandbox.chain('evm_mine');
	await sandbox.chain('evm_setAutomine', true);
}

const log = (filter: IDataObject = {}) => on({ event: 'log', ...filter });

/** Lists the last topic and the data of each log, as numbers. */
const emitted = (items: readonly IDataObject[]) =>
	items.map(({ topics, data }) => [Number((topics as string[]).at(-1)), Number(data)]);

const erased = (items: readonly IDataObject[]) => emitted(items).map(([subject]) => subject);

const NOTED = 'Noted(address,uint256,uint256)';
const word = (number: number) => `0x${number.toString(16).padStart(64, '0')}`;

/** Each row has a description, a filter, and the last topics of the logs that match the filter. */
const filters: Array<[what: string, filter: () => IDataObject, subjects: number[]]> = [
	['none', () => ({}), [1, 2, 4, 1, 3]],
	['an address', () => ({ addresses: others.address }), [4]],
	['two addresses', () => ({ addresses: [notes.address, others.address] }), [1, 2, 4, 1, 3]],
	['an address and a topic', () => ({ addresses: notes.address, topics: NOTED }), [1, 2]],
	['a signature', () => ({ topics: 'Erased(uint256)' }), [1, 3]],
	['a signature with short names', () => ({ topics: 'Noted(address,uint,uint)' }), [1, 2, 4]],
	['a hash in the second place', () => ({ topics: `,${word(3)}` }), [3]],
	['an address in the second place', () => ({ topics: `,${notes.owner}` }), [1, 2, 4]],
	['empty places at the end', () => ({ topics: 'Erased(uint256),,,' }), [1, 3]],
	['alternatives', () => ({ topics: [null, [word(1), word(3)]] }), [1, 3]],
	['JSON', () => ({ topics: `[["${NOTED}"], null, ["${word(2)}", "${word(4)}"]]` }), [2, 4]],
];

test('a filter lets through what it names, and nothing else', async () => {
	const triggers = await Promise.all(
		filters.map(async ([, filter]) => await active(log(filter()))),
	);
	await send(notes, NOTE, 1, 1);
	await send(notes, NOTE, 2, 1);
	await send(others, NOTE, 4, 1);
	await send(notes, ERASE, 1);
	await send(notes, ERASE, 3);
	await Promise.all(
		filters.map(async ([, , wanted], at) => await triggers[at]?.has(wanted.length)),
	);
	await moment(100);
	const came = filters.map(([what], at) => [what, erased(triggers[at]?.items() ?? [])]);
	expect(came).toEqual(filters.map(([what, , wanted]) => [what, wanted]));
});

describe('logs', () => {
	test('of one block come in order, in one execution', async () => {
		const trigger = await active(log());
		await inOneBlock(transaction(notes, NOTE, 1, 3), transaction(notes, NOTE, 2, 2));
		const items = await trigger.has(5);
		const five = [1, 1, 1, 2, 2].map((subject, index) => [subject, index % 3]);
		expect(emitted(items)).toEqual(five);
		expect(items.map(({ logIndex }) => logIndex)).toEqual([0, 1, 2, 3, 4]);
		expect(trigger.executions).toHaveLength(1);
	});

	test('are simplified', async () => {
		const trigger = await active(log());
		const transactionHash = await send(notes, ERASE, 5);
		const block = (await sandbox.chain('eth_getBlockByNumber', 'latest', false)) as IDataObject;
		expect(await trigger.has(1)).toEqual([
			{
				address: notes.address,
				topics: [expect.stringMatching(/^0x[0-9a-f]{64}$/), `0x${'5'.padStart(64, '0')}`],
				data: '0x',
				blockNumber: Number(block.number),
				blockHash: block.hash,
				transactionHash,
				transactionIndex: 0,
				logIndex: 0,
				timestamp: new Date(Number(block.timestamp) * 1000).toISOString(),
				removed: false,
			},
		]);
	});

	test('are as the node gives them, now and later', async () => {
		const trigger = await active(log({ simplify: false }));
		await send(notes, ERASE, 6);
		await trigger.has(1);
		await set({ mute: true });
		await drop('reset');
		await send(notes, ERASE, 7);
		const items = await trigger.has(2);
		const fromBlock = numberToHex((await height()) - 1);
		expect(items).toEqual(await sandbox.chain('eth_getLogs', { fromBlock, toBlock: 'latest' }));
		expect(items[0]?.removed).toBe(false);
	});

	test('from before do not come', async () => {
		await send(notes, ERASE, 8);
		const trigger = await active(log());
		await mine(1);
		await send(notes, ERASE, 9);
		expect(erased(await trigger.has(1))).toEqual([9]);
	});
});
