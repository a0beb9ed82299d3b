import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { encodeFunctionData, getAddress, type Abi } from 'viem';
import { deployContract } from '../../harness/contract.mts';
import { createSandboxChain } from '../../harness/sandboxChain.mts';
import { DRIVERS } from './support/driver.mts';

const { sandbox } = createSandboxChain();

let contract: Awaited<ReturnType<typeof deployContract>>;
beforeAll(async () => (contract = await deployContract(sandbox, 'Events', { file: 'Tokens' })));

const PLAIN = 'event Plain(uint256 indexed number, address who, string text)';

async function emit(functionName: string, ...args: unknown[]) {
	const data = encodeFunctionData({ abi: contract.abi as Abi, functionName, args });
	return await sandbox.mined({ from: contract.owner, to: contract.address, data });
}

describe.each(DRIVERS)('by %s', (_by, createDriver) => {
	const driver = createDriver();
	const log = async (filter: INodeParameters) => {
		const parameters = { event: 'log', addresses: contract.address, ...filter };
		return await driver.start(parameters, sandbox.credentials.token);
	};

	test('logs of an event come decoded, those that conditions let through alone', async () => {
		const all = await log({ eventSignature: PLAIN });
		const some = await log({ eventSignature: PLAIN, where: '{ "number": [2, "0x3"] }' });
		const every = await log({ eventSignature: JSON.stringify(contract.abi) });
		const topical = await log({ topics: 'Plain(uint256,address,string)' });
		const elsewhere = await log({ addresses: contract.owner });
		const raw = await log({ eventSignature: PLAIN, simplify: false });
		for (const number of [1n, 2n, 3n]) await emit('plain', number, `text ${number}`);
		await emit('nothing');
		expect(await all.readAll(3)).toMatchObject([
			{
				event: 'Plain',
				args: { number: '1', who: getAddress(contract.owner), text: 'text 1' },
				removed: false,
			},
			{ args: { number: '2' } },
			{ args: { number: '3' } },
		]);
		expect((await every.readAll(4)).map(({ event }) => event)).toEqual([
			'Plain',
			'Plain',
			'Plain',
			'Nothing',
		]);
		const passed = await some.readAll(2);
		expect(passed.map(({ args }) => (args as IDataObject).number)).toEqual(['2', '3']);
		expect(await topical.readAll(3)).toHaveLength(3);
		expect((await raw.readAll(3))[0]).not.toHaveProperty('event');
		expect([all, some, every, topical, raw].map((one) => one.items().length)).toEqual([
			3, 2, 4, 3, 3,
		]);
		expect(await elsewhere.readAll(0)).toEqual([]);
	});

	test('a log that does not fit its event comes all the same', async () => {
		const otherwise = 'Plain(uint256 number, address who, string text)';
		const trigger = await log({ eventSignature: otherwise });
		await emit('plain', 9n, 'nine');
		expect(await trigger.readAll(1)).toMatchObject([{ event: 'Plain', args: null }]);
	});

	test.each<[INodeParameters, RegExp]>([
		[
			{ eventSignature: PLAIN, topics: 'Plain(uint256)' },
			/^'Topics' must be empty when 'Event Sig/,
		],
		[{ where: '{"number": 1}' }, /^'Where' needs an event in 'Event Signature'/],
	])('%p is refused when the workflow is activated', async (filter, message) => {
		await expect(log(filter)).rejects.toThrow(message);
	});
});

describe('both', () => {
	const drivers = DRIVERS.map(([, createDriver]) => createDriver());

	test.each([true, false])('give the same items, simplified: %s', async (simplify) => {
		const filter = { event: 'log', addresses: contract.address, eventSignature: PLAIN, simplify };
		const triggers = await Promise.all(
			drivers.map(async ({ start }) => await start(filter, sandbox.credentials.token)),
		);
		await emit('plain', 5n, 'five');
		const [byNews = [], byPolls = []] = await Promise.all(
			triggers.map(async ({ readAll }) => await readAll(1)),
		);
		expect(byPolls).toEqual(byNews);
		expect(byPolls).toHaveLength(1);
	});
});
