import type { IHttpRequestOptions, ILoadOptionsFunctions } from 'n8n-workflow';
import { functionEditor } from '../../../nodes/Stark/functionEditor';

const ABI = [
	{
		type: 'interface',
		name: 'pkg::I',
		items: [
			{
				type: 'function',
				name: 'set',
				inputs: [
					{ name: 'amount', type: 'core::integer::u256' },
					{ name: 'note', type: 'core::byte_array::ByteArray' },
					{ name: 'is_dry', type: 'core::bool' },
				],
				outputs: [],
				state_mutability: 'external',
			},
			{
				type: 'function',
				name: 'get',
				inputs: [],
				outputs: [{ type: 'core::integer::u8' }],
				state_mutability: 'view',
			},
		],
	},
];

interface Sent {
	readonly method: string;
	readonly params: readonly unknown[];
}

/**
 * Creates a form of n8n's editor with the given parameters. The node has one contract, and knows only methods with
 * the prefix starknet_.
 */
function createForm(parameters: Readonly<Record<string, unknown>>) {
	const sent: Sent[] = [];
	const answer = ({ method, params }: Sent) => {
		if (!method.startsWith('starknet_')) return { error: { code: -32601, message: 'no method' } };
		return params[1] === '0x5'
			? { result: { sierra_program: [], entry_points_by_type: {}, abi: JSON.stringify(ABI) } }
			: { error: { code: 20, message: 'Contract not found' } };
	};
	const exchange = async (_type: string, { body }: IHttpRequestOptions) => {
		const call = body as Sent & { id: number };
		sent.push(call);
		const reply = { jsonrpc: '2.0', id: call.id, ...answer(call) };
		return await Promise.resolve({ statusCode: 200, headers: {}, body: JSON.stringify(reply) });
	};
	const form = {
		getCurrentNodeParameter: (name: string) => parameters[name],
		getNode: () => ({ name: 'Tested', typeVersion: 1 }),
		getCredentials: async () =>
			await Promise.resolve({ nodeUrl: 'http://127.0.0.1:1', authToken: 'a-token' }),
		getCredentialsProperties: () => [],
		helpers: { httpRequestWithAuthentication: exchange },
	} as unknown as ILoadOptionsFunctions;
	return { form, sent };
}

const functionsOf = async (parameters: Readonly<Record<string, unknown>>) =>
	await functionEditor.loadOptions.starkFunctions.call(createForm(parameters).form);
const fieldsOf = async (parameters: Readonly<Record<string, unknown>>) =>
	await functionEditor.resourceMapping.argumentFields.call(createForm(parameters).form);

const FUNCTIONS = [
	{ name: 'Choose a Function', value: '' },
	{ name: 'get() -> u8', value: 'get' },
	{ name: 'set(amount: u256, note: ByteArray, is_dry: bool)', value: 'set' },
];

test('the menu has the functions of the contract on the chain, those that read first', async () => {
	expect(await functionsOf({ contract: '0x0005' })).toEqual(FUNCTIONS);
});

test('an ABI that is given needs no chain', async () => {
	const { form, sent } = createForm({ abi: JSON.stringify(ABI) });
	expect(await functionEditor.loadOptions.starkFunctions.call(form)).toEqual(FUNCTIONS);
	expect(sent).toEqual([]);
});

test('the menu says what is missing, and what the node says', async () => {
	expect(await functionsOf({})).toEqual([{ name: 'Enter a Contract First', value: '' }]);
	const unread = (why: RegExp) => ({
		name: 'The Functions Cannot Be Read',
		value: '',
		description: expect.stringMatching(why),
	});
	expect(await functionsOf({ contract: '0x6' })).toEqual([
		unread(/^There is no contract at 0x0+6\. Check/),
	]);
	expect(await functionsOf({ contract: 'x' })).toEqual([unread(/^'Contract' must be an address/)]);
});

test('each argument has a field, with its type in its label', async () => {
	const { fields } = await fieldsOf({ contract: '0x5', function: 'set' });
	expect(fields).toMatchObject([
		{ id: 'amount', displayName: 'amount (u256)', type: 'string', required: true },
		{ id: 'note', displayName: 'note (ByteArray)', type: 'string', required: false },
		{ id: 'is_dry', displayName: 'is_dry (bool)', type: 'boolean', required: false },
	]);
});

test.each([
	[{}, /^Choose a contract and a function/],
	[{ contract: '0x5', function: 'get' }, /^get takes no arguments/],
	[
		{ contract: '0x5', function: 'gett' },
		/^Function must be a function of the contract, such as get/,
	],
	[{ contract: '0x6', function: 'get' }, /^There is no contract at 0x0+6\. Check/],
])('for %j there are no fields, with the reason', async (parameters, why) => {
	const { fields, emptyFieldsNotice } = await fieldsOf(parameters);
	expect(fields).toEqual([]);
	expect(emptyFieldsNotice).toMatch(why);
});
