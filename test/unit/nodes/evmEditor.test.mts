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

/**
 * Creates a form of n8n's editor with the given parameters, a node with a contract, and a gateway that serves the
 * contract's metadata.
 */
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

async function search(parameters: Readonly<Record<string, unknown>>, filter?: string) {
	const { form, asked } = await createForm(parameters);
	const { results } = await functionEditor.listSearch.functions.call(form, filter);
	return { choices: results, values: results.map(({ value }) => String(value)), asked };
}

const fieldsOf = async (parameters: Readonly<Record<string, unknown>>) =>
	await functionEditor.resourceMapping.argumentFields.call((await createForm(parameters)).form);

const TRANSFER = 'transfer(address to, uint256 amount) nonpayable returns (bool)';

describe('the list of functions', () => {
	test('is that of the metadata, those that read first; a choice is a whole declaration', async () => {
		const options = { gateway: GATEWAY };
		const { choices, values, asked } = await search({ to: CONTRACT, options });
		expect(asked).toEqual(['eth_getCode', 'https://ipfs.example.com']);
		expect(choices).toContainEqual({
			name: 'transfer(address to, uint256 amount)',
			value: TRANSFER,
		});
		expect(values).toContain('symbol() view returns (string)');
		expect(values).toContain('transferMany(address to, uint256 count) nonpayable');
		const lastView = values.findLastIndex((value) => value.includes(' view '));
		expect(values.slice(0, lastView + 1).every((value) => value.includes(' view '))).toBe(true);
	});

	test('has those that change something first, where one is to be sent, and is searched', async () => {
		const form = { to: CONTRACT, kind: 'contractFunction', options: { gateway: GATEWAY } };
		const { values } = await search(form);
		expect(values[0]).toMatch(/ nonpayable/);
		expect(values.at(-1)).toMatch(/ view /);
		expect((await search(form, 'Transfermany')).values).toHaveLength(1);
	});

	test('is that of the standards without a gateway, and none is asked', async () => {
		const { values, asked } = await search({ to: CONTRACT });
		expect(asked).toEqual(['eth_getCode']);
		expect(values).toContain('transfer(address to, uint256 value) nonpayable returns (bool)');
		expect(values.some((value) => value.startsWith('transferMany'))).toBe(false);
	});

	test.each([
		[
			{ to: '' },
			/^'Contract' is required: enter it, and this list shows the contract's functions$/,
		],
		[{ to: 'coin' }, /^'Contract' must be an address/],
		[{ to: `0x${'1'.repeat(40)}` }, /^There is no contract at 0x/],
		[
			{ to: CONTRACT, options: { gateway: 'ftp://example.com' } },
			/^'Gateway' must be a full address/,
		],
	])('says for %j what is missing', async (parameters, message) => {
		await expect(search(parameters)).rejects.toThrow(message);
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
		['chosen from the list', 'list'],
		['written', 'hand'],
	])('are those of the declaration that was %s', async (_, mode) => {
		const { fields } = await fieldsOf({ function: { __rl: true, mode, value: TRANSFER } });
		expect(fields.map(({ id }) => id)).toEqual(['to', 'amount']);
	});

	test('are none where the name of another function is stored beside it', async () => {
		const { fields, emptyFieldsNotice } = await fieldsOf({
			function: { __rl: true, mode: 'list', value: TRANSFER },
			functionName: 'gone',
		});
		expect(fields).toEqual([]);
		expect(emptyFieldsNotice).toMatch(/^Function Name must be empty or transfer/);
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
