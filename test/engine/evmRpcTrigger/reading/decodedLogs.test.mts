import type { IDataObject } from 'n8n-workflow';
import { encodeFunctionData, getAddress, type Abi } from 'viem';
import { deployContract } from '../../../harness/contract.mts';
import { moment, scene } from '../support/scene.mts';

const { sandbox, on, active } = scene();

let contract: Awaited<ReturnType<typeof deployContract>>;
beforeAll(async () => (contract = await deployContract(sandbox, 'Events', { file: 'Tokens' })));

const PLAIN = 'event Plain(uint256 indexed number, address who, string text)';

async function emit(functionName: string, ...args: unknown[]) {
	const data = encodeFunctionData({ abi: contract.abi as Abi, functionName, args });
	return await sandbox.mined({ from: contract.owner, to: contract.address, data });
}

const log = (filter: IDataObject) => on({ event: 'log', addresses: contract.address, ...filter });

test('logs of an event come decoded, those that conditions let through alone', async () => {
	const all = await active(log({ eventSignature: PLAIN }));
	const some = await active(log({ eventSignature: PLAIN, where: '{ "number": [2, "0x3"] }' }));
	const every = await active(log({ eventSignature: JSON.stringify(contract.abi) }));
	const raw = await active(log({ eventSignature: PLAIN, simplify: false }));
	for (const number of [1n, 2n, 3n]) await emit('plain', number, `text ${number}`);
	await emit('nothing');
	expect(await all.has(3)).toMatchObject([
		{
			event: 'Plain',
			args: { number: '1', who: getAddress(contract.owner), text: 'text 1' },
			removed: false,
		},
		{ args: { number: '2' } },
		{ args: { number: '3' } },
	]);
	expect((await every.has(4)).map(({ event }) => event)).toEqual([
		'Plain',
		'Plain',
		'Plain',
		'Nothing',
	]);
	expect((await some.has(2)).map(({ args }) => (args as IDataObject).number)).toEqual(['2', '3']);
	expect((await raw.has(3))[0]).not.toHaveProperty('event');
	await moment(100);
	expect([all, some, every, raw].map((one) => one.items().length)).toEqual([3, 2, 4, 3]);
});

test('a log that does not fit its event comes all the same', async () => {
	const otherwise = 'Plain(uint256 number, address who, string text)';
	const trigger = await active(log({ eventSignature: otherwise }));
	await emit('plain', 9n, 'nine');
	expect(await trigger.has(1)).toMatchObject([{ event: 'Plain', args: null }]);
});

test.each<[IDataObject, RegExp]>([
	[{ eventSignature: PLAIN, topics: 'Plain(uint256)' }, /^'Topics' must be empty when 'Event Sig/],
	[{ where: '{"number": 1}' }, /^'Where' needs 'Event Signature'/],
])('%p is refused when the workflow is activated', async (filter, message) => {
	await expect(active(log(filter))).rejects.toThrow(message);
});
