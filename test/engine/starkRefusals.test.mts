import type { INodeParameters } from 'n8n-workflow';
import { Stark } from '../../nodes/Stark/Stark.node';
import { runNode } from '../harness/engine.mts';
import { answerCalls, createTestServer, type RpcCall } from '../harness/server.mts';
import { createStarkChain, padFelt } from '../harness/starkChain.mts';

const { sandbox, contractOf } = createStarkChain();

let answers: Readonly<Record<string, unknown>> = {};
/** A node that gives the answers that a test sets. It ignores the prefix of each method. */
const server = createTestServer((received, response) =>
	answerCalls(received, response, ({ method }: RpcCall) => ({
		result: answers[method.replace(/^[a-z]+_/, '')] ?? '0x1',
	})),
);

async function getError(parameters: INodeParameters, { credentials } = sandbox as Served) {
	const run = { node: new Stark(), parameters, credentials: credentials.token };
	const { error } = await runNode(run);
	return { message: error?.message, description: error?.description };
}

type Served = Pick<typeof server, 'credentials'>;

const describeContract = (contract: string) => ({
	resource: 'contract',
	operation: 'describe',
	contract,
});

const addContract = async (body: object) => await sandbox.control('POST', '/stark/contracts', body);

const CONTRACT = '0x777';

test.each<[string, string, object, RegExp]>([
	['no implementation', 'oldToken', {}, /^The contract 0x0+777 is a proxy: it has no/],
	[
		'an implementation that is not there',
		'oldToken',
		{ implementation: '0x999' },
		/^The contract 0x0+777 is a proxy: its implementation 0x0+999 does not exist$/,
	],
	[
		'itself as its implementation',
		'oldestToken',
		{ implementation: CONTRACT },
		/^The contract 0x0+777 is a proxy: its implementations lead to each other$/,
	],
])('a proxy with %s is refused in words', async (_, like, storage, wanted) => {
	await addContract({ address: CONTRACT, like, storage });
	const { message, description } = await getError(describeContract(CONTRACT));
	expect(message).toMatch(wanted);
	expect(description).toBe(
		"A proxy forwards its calls to other code, the implementation. Enter the ABI (list of functions and events) of the implementation in 'ABI'.",
	);
});

const buildClass = (abi: unknown) => ({
	sierra_program: ['0x1'],
	contract_class_version: '0.1.0',
	entry_points_by_type: { CONSTRUCTOR: [], EXTERNAL: [], L1_HANDLER: [] },
	abi,
});

test.each<[string, unknown]>([
	['an empty ABI', ''],
	['an ABI that is cut off', '[{"type": "function"'],
	['an ABI that is a number', '5'],
])('a class with %s is refused in words', async (_, abi) => {
	await addContract({ address: CONTRACT, class: buildClass(abi) });
	const { message, description } = await getError(describeContract(CONTRACT));
	expect(message).toMatch(
		/^The code \(class\) of the contract 0x0+777 does not declare its inputs and outputs$/,
	);
	expect(description).toMatch(
		/^The ABI on the chain is not .* Enter the ABI of the contract in 'ABI'\.$/,
	);
});

test('a function whose type the ABI does not declare is refused by that type', async () => {
	const declared = { type: 'function', name: 'get', inputs: [], outputs: [{ type: 'pkg::Lost' }] };
	await addContract({ address: CONTRACT, class: buildClass(JSON.stringify([declared])) });
	const asked = { resource: 'contract', operation: 'call', contract: CONTRACT, function: 'get' };
	expect((await getError(asked)).message).toMatch(/what the type Lost is/);
});

test.each([5, 'class', []])('a class that is %j is refused in words', async (given) => {
	answers = { getClassAt: given };
	const { message } = await getError(describeContract(CONTRACT), server);
	expect(message).toMatch(/a class/);
});

test.each<[string, INodeParameters, object, RegExp]>([
	[
		'block by its number',
		{ resource: 'block', operation: 'get', block: 5 },
		{ getBlockWithTxHashes: { block_number: 6 } },
		/did not answer with the block that was asked for/,
	],
	[
		'block by its hash',
		{ resource: 'block', operation: 'get', block: padFelt('0x5') },
		{ getBlockWithTxHashes: { block_hash: '0x6' } },
		/did not answer with the block that was asked for/,
	],
	[
		'transaction',
		{ resource: 'transaction', operation: 'get', transactionHash: '0x5' },
		{
			getTransactionStatus: { finality_status: 'ACCEPTED_ON_L2' },
			getTransactionReceipt: { transaction_hash: '0x6', block_hash: '0x7' },
		},
		/the transaction that was asked for/,
	],
])('another %s than the one that was asked for is refused', async (_, asked, given, wanted) => {
	answers = given as typeof answers;
	expect((await getError(asked, server)).message).toMatch(wanted);
});

test.each(['0.6.0', '1.0.0', '', 'new', 8])(
	'a node that says it is of version %j is refused in words',
	async (specVersion) => {
		answers = { specVersion };
		const asked = { resource: 'account', operation: 'get', address: CONTRACT, block: 'pending' };
		const { message } = await getError(asked, server);
		expect(message).toMatch(/a version from 0\.7 to 0\.10/);
	},
);

test.each<[string, INodeParameters, RegExp]>([
	[
		'a function',
		{ operation: 'call', function: 'balance_off' },
		/^'Function' must be a function of the contract, such as balance_of, \w+, \w+; got/,
	],
	[
		'an argument',
		{
			operation: 'call',
			function: 'balance_of',
			argumentsBy: 'json',
			arguments: '{ "acount": "0x1" }',
		},
		/^'Arguments' must be a list of 1 value, or an object with account/,
	],
	[
		'an event',
		{ resource: 'event', operation: 'getAll', event: 'Transfers', fromBlock: 0 },
		/^'Event' must be an event of the contract, such as Transfer, \w+/,
	],
])('the name of %s that the ABI does not have is refused by it', async (_, asked, wanted) => {
	const contract = contractOf('newToken');
	const { message } = await getError({ resource: 'contract', contract, ...asked });
	expect(message).toMatch(wanted);
});
