import { encodeAbiParameters, encodeErrorResult, parseAbi, type Hex } from 'viem';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { OffchainFailure } from '../../../nodes/core/evm/lookupServers';
import { callWithLookups } from '../../../nodes/core/evm/offchainLookup';
import type { PublicFile } from '../../../nodes/core/net/http/download';
import { Stopped } from '../../../nodes/core/net/pacing/stop';
import { rpcError } from '../../../nodes/core/net/responses/rpcErrors';
import { createChain } from '../support/chains.mts';
import { expectLinear } from '../support/growth.mts';
import { createShared } from '../../../nodes/core/net/pacing/shared';

const CONTRACT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const URL = 'https://example.com/{data}';
const lookupAbi = parseAbi([
	'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
]);

interface Question {
	readonly urls?: readonly string[];
	readonly callData?: Hex;
}

const encodeLookup = ({ urls = [URL], callData = '0xabcd' }: Question = {}) =>
	encodeErrorResult({
		abi: lookupAbi,
		args: [CONTRACT, urls, callData, '0x12345678', '0xeeff'],
	});

/** The call that the contract gets back after the server has answered `0xbeef`. */
const CALLBACK =
	'0x12345678' +
	encodeAbiParameters([{ type: 'bytes' }, { type: 'bytes' }], ['0xbeef', '0xeeff']).slice(2);

interface EthCall {
	readonly to?: string;
	readonly data?: string;
}

type Download = (file: PublicFile) => Promise<Buffer>;

/** Calls a contract that first fails with the given error, and then returns `0x01` to the callback. */
async function callContract(
	error: unknown,
	download: Download = async () => await Promise.resolve(Buffer.from('{"data":"0xbeef"}')),
	memory = createShared(),
) {
	const chain = createChain((_, [asked]) => {
		const { to, data }: EthCall = asked ?? {};
		expect(to).toBe(CONTRACT);
		if (data === CALLBACK) return '0x01';
		throw rpcError('eth_call', error);
	}, memory);
	return await callWithLookups({ ...chain, download }, CONTRACT, '0x99');
}

const HASH = `0x${'ab'.repeat(32)}`;
const reverted = encodeLookup();

test.each<[string, unknown]>([
	['geth', { code: 3, message: 'execution reverted', data: reverted }],
	[
		'in capitals',
		{ code: 3, message: 'execution reverted', data: `0x${reverted.slice(2).toUpperCase()}` },
	],
	['Parity', { code: -32015, message: 'VM execution error.', data: `Reverted ${reverted}` }],
	['Hardhat', { code: -32603, message: 'reverted', data: { message: 'reverted', data: reverted } }],
	['Ganache', { code: -32000, message: 'VM Exception: revert', data: { result: reverted } }],
	[
		'old Ganache',
		{ code: -32000, message: 'revert', data: { [HASH]: { error: 'revert', return: reverted } } },
	],
	['a wallet', { code: -32603, message: 'x', data: { originalError: { data: reverted } } }],
	['a gateway', { code: -32000, message: 'x', originalError: { data: reverted } }],
	['in words alone', { code: -32000, message: `execution reverted: ${reverted}` }],
])('the look-up is found where the node puts it: %s', async (_, error) => {
	expect(await callContract(error)).toBe('0x01');
});

const revert = (data: string) => ({ code: 3, message: 'execution reverted', data });

test('a contract that fails in another way has no answer', async () => {
	expect(await callContract(revert('0x'))).toBeUndefined();
	expect(await callContract(revert('0x08c379a0'))).toBeUndefined();
});

test.each([
	reverted.slice(0, 10),
	reverted.slice(0, -64),
	`${reverted.slice(0, 10)}${'ff'.repeat(640)}`,
])('a look-up that does not fit its types is a failure: %s', async (data) => {
	await expect(callContract(revert(data))).rejects.toThrow("in a form that can't be read");
});

test('a failure of the node is no failure of the contract', async () => {
	const lost = new RequestFailure('gone', { retry: { because: 'lost' } });
	const chain = createChain(() => {
		throw lost;
	});
	await expect(callWithLookups(chain, CONTRACT, '0x99')).rejects.toBe(lost);
});

test('what stops the run stops the look-up', async () => {
	const download = async () => await Promise.reject(new Stopped());
	await expect(callContract(revert(encodeLookup({ urls: [URL, URL] })), download)).rejects.toThrow(
		Stopped,
	);
});

test('equal questions under way travel once, and later ones again', async () => {
	const asked: PublicFile[] = [];
	const download: Download = async (file) => {
		asked.push(file);
		return await Promise.resolve(Buffer.from('{"data":"0xbeef"}'));
	};
	const memory = createShared();
	const call = async () => await callContract(revert(reverted), download, memory);
	await Promise.all([call(), call(), call()]);
	expect(asked).toEqual([{ url: 'https://example.com/0xabcd', isForeign: true }]);
	await call();
	expect(asked).toHaveLength(2);
});

test('a failure that many share reaches each of them, and is not kept', async () => {
	let count = 0;
	const download = async () => {
		count++;
		return await Promise.reject(new RequestFailure('The server answered 500', { httpCode: 500 }));
	};
	const memory = createShared();
	const call = async () => await callContract(revert(reverted), download, memory);
	const outcomes = await Promise.allSettled([call(), call()]);
	expect(
		outcomes.map((one) => one.status === 'rejected' && one.reason instanceof OffchainFailure),
	).toEqual([true, true]);
	await expect(call()).rejects.toThrow('"example.com": The server answered 500');
	expect(count).toBe(2);
});

test('a host of any length is shown in short', async () => {
	const urls = [`https://${'a.'.repeat(120)}example.com/{data}`];
	const download = async () => await Promise.reject(new RequestFailure('gone', { httpCode: 404 }));
	const failure = await callContract(revert(encodeLookup({ urls })), download).catch(String);
	expect(String(failure).length).toBeLessThan(200);
});

test('the costs of a look-up grow with its length and no faster', async () => {
	const refuse = async () => await Promise.reject(new RequestFailure('gone'));
	await expectLinear(1_000_000, async (size) => {
		const many = {
			urls: Array.from({ length: size / 200 }, () => URL),
			callData: `0x${'00'.repeat(size / 4)}`,
		} as const;
		await expect(callContract(revert(encodeLookup(many)), refuse)).rejects.toThrow(OffchainFailure);
		const posted = { ...many, urls: many.urls.map(() => 'https://example.com/') };
		await expect(callContract(revert(encodeLookup(posted)), refuse)).rejects.toThrow(
			OffchainFailure,
		);
		const useless = { ...many, urls: many.urls.map(() => 'https://a:b@example.com/{data}') };
		await expect(callContract(revert(encodeLookup(useless)), refuse)).rejects.toThrow(
			OffchainFailure,
		);
	});
});
