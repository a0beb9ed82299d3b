import { getAddress, toFunctionSelector } from 'viem';
import { deployContract, getContract } from '../../harness/contract.mts';
import { CAR_TYPE, encodeBlock, encodeBlockCar } from '../../harness/metadataGateway.mts';
import { createSandbox } from '../../harness/sandbox.mts';
import { createTestServer } from '../../harness/server.mts';
import { evmRpcAt } from './support/scene.mts';

const sandbox = createSandbox({ chain: true });
const { run, first } = evmRpcAt(sandbox);

let car: Buffer;
const gateway = createTestServer(({ path }, response) => {
	const isServed = path.includes('format=car') && !path.startsWith('/lies');
	response.writeHead(200, {
		'Content-Type': path.startsWith('/gives-no-blocks') ? 'text/html' : CAR_TYPE,
	});
	response.end(isServed ? car : encodeBlockCar(encodeBlock('{"output":{"abi":[]}}')));
});

let coin: Awaited<ReturnType<typeof deployContract>>;
beforeAll(async () => {
	const { metadata } = await getContract('Tokens', 'Coin');
	car = encodeBlockCar(encodeBlock(metadata));
	coin = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
});

const describeIt = async (contract: string, more: object = {}) =>
	await run({ resource: 'contract', operation: 'describe', contract, ...more });

test('a contract has the names of its metadata, got from a gateway and verified', async () => {
	const { items, hints } = await describeIt(coin.address, { gateway: gateway.url });
	const { evm } = await getContract('Tokens', 'Coin');
	const functions = items.filter(({ json }) => json.kind === 'function');
	const found = functions.map(({ json }) => [json.signature, json.selector, json.source]);
	const wanted = Object.entries(evm.methodIdentifiers);
	expect(found.sort()).toEqual(
		wanted.map(([signature, selector]) => [signature, `0x${selector}`, 'metadata']).sort(),
	);
	expect(hints ?? []).toEqual([]);
	const [{ request } = { request: undefined }] = gateway.received;
	expect(request?.headers.authorization).toBeUndefined();
});

test.each([
	['lies', 'The gateway did not give the block'],
	['gives no blocks', 'The file cannot be verified'],
])('a gateway that %s counts as none, with the reason', async (what, why) => {
	const { items, error, hints } = await describeIt(coin.address, {
		gateway: `${gateway.url}/${what.split(' ').join('-')}/`,
	});
	expect(error?.message).toBeUndefined();
	const sources = new Set(items.map(({ json }) => json.source));
	expect([...sources].sort()).toEqual(['bytecode', 'standard']);
	expect(JSON.stringify(hints)).toContain(why);
});

test('a proxy has the functions of its implementation, read once for all items', async () => {
	const code = `363d3d373d3d3d363d73${coin.address.slice(2)}5af43d82803e903d91602b57fd5bf3`;
	const clone = async () => {
		const data = `0x602d8060093d393df3${code}`;
		const { contractAddress } = await sandbox.mined({ from: coin.owner, data });
		return String(contractAddress);
	};
	const clones = [await clone(), await clone()];
	const { items } = await run(
		{ resource: 'contract', operation: 'describe', contract: '={{ $json.contract }}' },
		{ items: clones.map((contract) => ({ json: { contract } })) },
	);
	const transfers = items.filter(({ json }) => json.name === 'transfer');
	expect(transfers.map(({ json }) => [json.contract, json.implementation, json.proxy])).toEqual(
		clones.map((one) => [getAddress(one), getAddress(coin.address), 'EIP-1167']),
	);
});

describe('a function that was chosen from those on the chain', () => {
	const functionName = 'balanceOf(address arg0) view returns (uint256)';
	const given = { argumentsBy: 'json', to: '' };

	test('is called without an ABI, and without a gateway', async () => {
		const { address, owner } = coin;
		const called = { ...given, to: address, functionName, arguments: `["${owner}"]` };
		expect(await first({ resource: 'contract', operation: 'call', ...called })).toEqual({
			result: '1000000500000',
		});
		expect(gateway.received).toHaveLength(0);
	});

	test('is prepared', async () => {
		const { address, owner } = coin;
		const prepared = await first({
			resource: 'transaction',
			operation: 'prepare',
			kind: 'contractFunction',
			from: owner,
			...given,
			to: address,
			functionName: 'transfer(address to, uint256 amount) nonpayable returns (bool)',
			arguments: `["${owner}", 5]`,
		});
		expect(JSON.stringify(prepared)).toContain(
			toFunctionSelector('transfer(address,uint256)').slice(2),
		);
	});

	test('is required where no function is entered', async () => {
		const called = { ...given, to: coin.address };
		expect(await first({ resource: 'contract', operation: 'call', ...called })).toMatchObject({
			message: "'Function' is required",
		});
	});
});
