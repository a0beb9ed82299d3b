import type { INodeParameters } from 'n8n-workflow';
import { createWallet, DOUBT, LEADER } from './support/wallet.mts';

const { sandbox, wallet, first, sent } = createWallet();

const api = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'api',
	operation: 'request',
	path: 'wallet/getnowblock',
	...more,
});

test.each(['wallet/getnowblock', '/wallet/getnowblock', ' wallet/getnowblock '])(
	'any method is called by its path: %p',
	async (path) => {
		expect(await first(api({ path }))).toHaveProperty('block_header');
		expect(await sent()).toEqual([{ path: '/wallet/getnowblock', body: {} }]);
	},
);

test('the body travels as it is written, digits included', async () => {
	const body = '{"num": 9007199254740993}';
	await sandbox.fault({ do: { status: 200, body: '{"a":9007199254740993,"b":[1]}' } });
	expect(await first(api({ body }))).toEqual({ a: '9007199254740993', b: [1] });
	expect((await sandbox.record())[0]?.method).toBe('POST');
});

test('without a body it is a GET', async () => {
	expect(await first(api({ body: '' }))).toHaveProperty('block_header');
	expect((await sandbox.record())[0]?.method).toBe('GET');
});

test.each([
	'={{ "" }}',
	'/',
	'../v1/projects',
	'wallet/../../x',
	'wallet%2fgetaccount',
	'wallet/..;/x',
	'wallet/＠x',
])('the path %p is refused', async (path) => {
	const { error } = await wallet(api({ path }));
	expect(error?.message).toMatch(/^'Path' (must be|is required)/);
	expect(await sandbox.record()).toEqual([]);
});

test.each([
	[
		{ Error: 'class org.tron.core.exception.BadItemException : no: such thing' },
		'no: such thing',
		'The chain node refused the request (BadItemException).',
	],
	[
		{ Error: 'class java.lang.NullPointerException : null' },
		'class java.lang.NullPointerException : null',
	],
	[
		{ Error: 'class org.tron.core.services.http.JsonFormat$ParseException : 1:16: INVALID' },
		'1:16: INVALID',
	],
	[{ Error: 'Something else' }, 'Something else'],
	[{ code: 'CONTRACT_VALIDATE_ERROR', message: Buffer.from('not so').toString('hex') }, 'not so'],
	[{ code: 'SIGERROR', message: 'not so' }, 'not so'],
	[{ code: 'BANDWITH_ERROR' }, 'The chain node refused the request: BANDWITH_ERROR'],
	[{ result: { code: 'OTHER_ERROR', message: Buffer.from('oh').toString('hex') } }, 'oh'],
	[
		{ result: { code: 'CONTRACT_EXE_ERROR' } },
		'The chain node refused the request: CONTRACT_EXE_ERROR',
	],
	[{ error: 'no' }, 'no'],
	[{ Error: '' }, 'The chain node gave no reason'],
	[{ Error: { message: 'no' } }, 'no'],
	[{ result: false, code: 'SIGERROR', message: 'not so' }, 'not so'],
])('an error with status 200 fails: %o', async (body, words, description = '') => {
	await sandbox.fault({ do: { status: 200, body } });
	const { error } = await wallet(api());
	expect(error?.message).toBe(words);
	if (description !== '') expect(error?.description).toBe(description);
});

test.each([
	{},
	{ code: 'SUCCESS', result: true },
	{ result: { result: true, message: '52' } },
	{ code: '60806040' },
	{ code: 5 },
	{ result: false, message: 'Invalid address' },
	{ result: { code: 'NOT_ENOUGH_PERMISSION' }, current_weight: 1 },
])('%o is an answer', async (body) => {
	await sandbox.fault({ do: { status: 200, body } });
	expect(await first(api())).toEqual(body);
});

test.each([
	['{}', 1],
	['', 2],
])('with the body %p a lost answer is asked for so often: %d', async (body, times) => {
	await sandbox.fault({ do: { status: 502 } });
	const { error } = await wallet(api({ body }));
	expect(await sandbox.record()).toHaveLength(times);
	if (times === 1) expect(error?.description).toMatch(DOUBT);
});

test('what a limit turned away is sent again', async () => {
	const Error = 'class java.lang.IllegalAccessException : lack of computing resources';
	await sandbox.fault({ do: { status: 200, body: { Error } } });
	expect(await first(api())).toHaveProperty('block_header');
});

test('the token is in no error', async () => {
	const { token } = sandbox.credentials;
	const { authToken } = token.chainNodeTokenApi;
	for (const body of [
		{ Error: `no ${authToken}` },
		{ code: 'OTHER_ERROR', message: Buffer.from(`no ${authToken}`).toString('hex') },
		{ result: { code: 'OTHER_ERROR', message: `no ${authToken}` } },
	]) {
		await sandbox.fault({ do: { status: 200, body } });
		const { error } = await wallet(api({ path: 'wallet/getaccount', body: { address: LEADER } }));
		expect(error?.message).toMatch(/^no /);
		expect(JSON.stringify([error, error?.message, error?.description])).not.toContain(authToken);
	}
});
