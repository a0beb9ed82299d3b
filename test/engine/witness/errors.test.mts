import type { INodeParameters } from 'n8n-workflow';
import { wallet, vote, create, broadcast, GOOD, sandbox } from './support/wallet.mts';

describe('errors with status 200', () => {
	const operations: Array<[string, () => INodeParameters]> = [
		['vote', () => vote()],
		['create', () => create()],
		['list', () => ({ operation: 'list' })],
		['broadcast', () => broadcast(GOOD)],
	];

	test.each(operations)('fail in the words of the chain: %s', async (_, parameters) => {
		const Error = 'class org.tron.core.exception.BadItemException : no: such thing';
		await sandbox.fault({ do: { status: 200, body: { Error } } });
		const { error } = await wallet(parameters());
		expect(error?.message).toBe('no: such thing');
		expect(error?.description).toBe('The node refused the request (BadItemException).');
	});

	test.each([
		['class java.lang.NullPointerException : null', 'class java.lang.NullPointerException : null'],
		['Something else', 'Something else'],
		[
			'class org.tron.core.services.http.JsonFormat$ParseException : 1:16: INVALID',
			'1:16: INVALID',
		],
	])('are reported in any form: %s', async (Error, words) => {
		await sandbox.fault({ do: { status: 200, body: { Error } } });
		expect((await wallet(vote())).error?.message).toBe(words);
	});

	test.each(operations.slice(0, 2))('an incomplete transaction is none: %s', async (_, built) => {
		await sandbox.fault({ do: { status: 200, body: { txID: 'ab', raw_data: {} } } });
		expect((await wallet(built())).error?.message).toBe(
			'The service did not answer with a transaction',
		);
	});
});
