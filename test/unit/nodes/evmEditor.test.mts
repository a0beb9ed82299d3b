import type { IHttpRequestOptions, ILoadOptionsFunctions } from 'n8n-workflow';
import { functionEditor } from '../../../nodes/EvmRpc/functionEditor';
import { compileFile } from '../../harness/contract.mts';
import { CAR_TYPE, encodeBlock, encodeBlockCar } from '../../harness/metadataGateway.mts';

const CONTRACT = `0x${'c1'.repeat(20)}`;
const GATEWAY = 'https://ipfs.example.com/ipfs/';

interface Sent {
	readonly method: string;
	readonly params: readonly string[];
}

/** A form with these parameters, in front of a node that knows one contract, and of a gateway that has its metadata. */
async function createForm(parameters: Readonly<Record<string, unknown>>) {
	const { contracts } = await compileFile('Tokens');
	const { metadata, evm } = contracts!.Tokens!.Coin!;
	const asked: string[] = [];
	const exchange = async (_type: string, { body }: IHttpRequestOptions) => {
		const { method, params, id } = body as unknown as Sent & { id: number };
		asked.push(method);
		const isThere = params[0]?.toLowerCase() === CONTRACT;
		const result = isThere ? `0x${evm.deployedBytecode.object}` : '0x';
		const reply = JSON.stringify({ jsonrpc: '2.0', id, result });
		return await Promise.resolve({ statusCode: 200, headers: {}, body: reply });
	};
	const fetchFile = async ({ url }: IHttpRequestOptions) => {
		asked.push(new URL(url).origin);
		const body = (async function* () {
			yield await Promise.resolve(encodeBlockCar(encodeBlock(metadata)));
		})();
		return { statusCode: 200, headers: { 'content-type': CAR_TYPE }, body };
	};
	const form = {
		getCurrentNodeParameter: (name: string) => parameters[name],
		getNode: () => ({ name: 'Tested', typeVersion: 1 }),
		getCredentials: async () =>
			await Promise.resolve({ nodeUrl: 'http://127.0.0.1:1', authToken: 'a-token' }),
		getCredentialsProperties: () => [],
		helpers: { httpRequestWithAuthentication: exchange, httpRequest: fetchFile },
	} as unknown as ILoadOptionsFunctions;
	return { form, asked };
}

async function load(parameters: Readonly<Record<string, unknown>>) {
	const { form, asked } = await createForm(parameters);
	return { choices: await functionEditor.loadOptions.functions.call(form), asked };
}

const fieldsOf = async (parameters: Readonly<Record<string, unknown>>) =>
	await functionEditor.resourceMapping.argumentFields.call((await createForm(parameters)).form);

const TRANSFER = 'transfer(address to, uint256 amount) nonpayable returns (bool)';

describe('the list of functions, where none is entered', () => {
	test('is that of the metadata, those that read first; a choice is a whole declaration', async () => {
		const { choices, asked } = await load({
			function: '',
			to: CONTRACT,
			options: { gateway: GATEWAY },
		});
		expect(asked).toEqual(['eth_getCode', 'https://ipfs.example.com']);
		expect(choices[0]).toEqual({ name: 'Choose a Function', value: '' });
		const values = choices.map(({ value }) => String(value));
		expect(choices).toContainEqual({
			name: 'transfer(address to, uint256 amount)',
			value: TRANSFER,
		});
		expect(values).toContain('symbol() view returns (string)');
		expect(values).toContain('transferMany(address to, uint256 count) nonpayable');
		const lastView = values.findLastIndex((value) => value.includes(' view '));
		expect(values.slice(1, lastView + 1).every((value) => value.includes(' view '))).toBe(true);
	});

	test('is that of the standards without a gateway, and none is asked', async () => {
		const { choices, asked } = await load({ function: '', to: CONTRACT });
		expect(asked).toEqual(['eth_getCode']);
		const values = choices.map(({ value }) => String(value));
		expect(values).toContain('transfer(address to, uint256 value) nonpayable returns (bool)');
		expect(values.some((value) => value.startsWith('transferMany'))).toBe(false);
	});

	test('is that of what was entered, without a request', async () => {
		const { choices, asked } = await load({ function: 'f(); g()', to: CONTRACT });
		expect(choices.map(({ value }) => value)).toEqual(['f', 'g']);
		expect(asked).toEqual([]);
	});

	test.each([
		[{ to: '' }, 'Enter a Contract or a Function First', undefined],
		[{ to: 'coin' }, 'The Functions Cannot Be Read', /'Contract' must be an address/],
		[{ to: `0x${'1'.repeat(40)}` }, 'The Functions Cannot Be Read', /There is no contract at 0x/],
		[
			{ to: CONTRACT, options: { gateway: 'ftp://example.com' } },
			'The Functions Cannot Be Read',
			/'Gateway' must be a full address/,
		],
	])('says for %j what is missing', async (parameters, name, description) => {
		const { choices } = await load({ function: '', ...parameters });
		expect(choices).toHaveLength(1);
		expect(choices[0]).toMatchObject({ name, value: '' });
		expect(choices[0]?.description ?? '').toMatch(description ?? /^$/);
	});
});

describe('the fields of arguments', () => {
	test('are those of the declaration that was chosen, without a request', async () => {
		const { fields } = await fieldsOf({ function: '', functionName: TRANSFER });
		expect(fields.map(({ displayName }) => displayName)).toEqual([
			'to (address)',
			'amount (uint256)',
		]);
	});

	test.each([
		[{ functionName: '' }, /^Enter a function/],
		[{ functionName: 'transfer' }, /^'Function Name or ID' must be a/],
		[{ functionName: 'name() view returns (string)' }, /^name takes no arguments/],
	])('are none for %j', async (parameters, why) => {
		const { fields, emptyFieldsNotice } = await fieldsOf({ function: '', ...parameters });
		expect(fields).toEqual([]);
		expect(emptyFieldsNotice).toMatch(why);
	});
});
