import { Readable } from 'node:stream';
import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { createDownload } from '../../../../nodes/core/net/http/download';
import { Stop } from '../../../../nodes/core/net/pacing/stop';

const URL = 'https://example.com/1.json';

interface Fakes {
	readonly answers?: Array<() => object>;
	/** Tells whether n8n allows a request to the URL. It is undefined for a version of n8n without this check. */
	readonly allows?: (url: string) => object;
	/** The IP addresses to which the server's name resolves. */
	readonly addresses?: readonly string[];
	readonly stop?: Stop;
}

const file = (content = '{}', statusCode = 200, headers: object = {}) => ({
	statusCode,
	headers,
	body: Readable.from([Buffer.from(content)]),
});

/** Downloads a file through a fake n8n that behaves as given, and records the requests. */
function scene({
	answers = [() => file()],
	allows,
	addresses = ['93.184.216.34'],
	stop = new Stop(),
}: Fakes = {}) {
	const asked: IHttpRequestOptions[] = [];
	const policies: unknown[] = [];
	const helpers = {
		httpRequest: async (options: IHttpRequestOptions) => {
			asked.push(options);
			return await Promise.resolve((answers.shift() ?? file)());
		},
		...(allows && {
			getSecureEgressFilter: (policy: unknown) => {
				policies.push(policy);
				return {
					validateUrl: async (url: string) => await Promise.resolve(allows(url)),
					createSecureLookup:
						() =>
						(_: string, __: object, done: (failure: null, found: object[]) => void): void =>
							done(
								null,
								addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
							),
				};
			},
		}),
	};
	const download = createDownload({ helpers } as unknown as IExecuteFunctions, stop);
	return { asked, policies, download };
}

const OPEN = { ok: true, result: undefined };
const thrown = (error: object) => () => {
	throw Object.assign(new Error('connect to https://example.com/secret failed'), error);
};

test('no credential goes along, no redirect is followed, and ten seconds are the most', async () => {
	const { asked, download } = scene();
	expect((await download({ url: URL, isForeign: false })).toString()).toBe('{}');
	const { headers, abortSignal, ...options } = asked[0] as IHttpRequestOptions;
	expect(Object.keys(headers ?? {})).toEqual(['Accept']);
	expect(abortSignal?.aborted).toBe(false);
	expect(options).toEqual({
		method: 'GET',
		url: URL,
		timeout: 10_000,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	});
});

test('a body is posted as JSON, and the time may be another', async () => {
	const { asked, download } = scene();
	await download({ url: URL, isForeign: false, body: '{"a":1}', timeout: 300 });
	expect(asked[0]).toMatchObject({
		method: 'POST',
		url: URL,
		body: '{"a":1}',
		headers: { 'Content-Type': 'application/json' },
		timeout: 300,
		disableFollowRedirect: true,
	});
});

test('the failure has the status of the answer', async () => {
	const { download } = scene({ answers: [() => file('no', 404)] });
	await expect(download({ url: URL, isForeign: false })).rejects.toMatchObject({
		message: 'The server answered 404',
		httpCode: 404,
	});
});

test("n8n's protection is enforced for an address that a stranger named, before it is asked", async () => {
	const { asked, policies, download } = scene({ allows: () => OPEN });
	await download({ url: URL, isForeign: false });
	expect(policies).toEqual([]);
	await download({ url: URL, isForeign: true });
	expect(policies).toEqual(['enforced']);
	expect(asked).toHaveLength(2);
	const error = Object.assign(new Error('10.0.0.1'), { name: 'SsrfBlockedIpError' });
	const closed = scene({ allows: () => ({ ok: false, error }) });
	await expect(closed.download({ url: URL, isForeign: true })).rejects.toMatchObject({
		message:
			'The requested address leads into an internal network, and n8n blocks such addresses (SSRF protection)',
	});
	expect(closed.asked).toEqual([]);
});

test.each(['::', '100.100.100.200', '::ffff:100.64.0.1', '64:ff9b::7f00:1'])(
	'a name that resolves to %s, which the list of n8n lacks, is not asked',
	async (address) => {
		const addresses = ['93.184.216.34', address];
		const { asked, download } = scene({ allows: () => OPEN, addresses });
		await expect(download({ url: URL, isForeign: true })).rejects.toMatchObject({
			message: 'The address is an internal one, and is not asked',
		});
		expect(asked).toEqual([]);
		await download({ url: URL, isForeign: false });
	},
);

test('a version of n8n without that protection is asked all the same', async () => {
	const { asked, download } = scene();
	await download({ url: URL, isForeign: true });
	expect(asked).toHaveLength(1);
});

test.each(['ENOTFOUND', 'CERT_HAS_EXPIRED', 'ECONNREFUSED'])(
	'%s is reported by its code, without the address',
	async (code) => {
		const { asked, download } = scene({ answers: [thrown({ code })] });
		const outcome = download({ url: URL, isForeign: false });
		await expect(outcome).rejects.toMatchObject({
			message: `The server could not be reached (${code})`,
		});
		expect(asked).toHaveLength(1);
	},
);

test('a connection that was lost, or an answer that asks for a pause, is not the last word', async () => {
	const answers = [thrown({ code: 'ECONNRESET' }), () => file('', 429, { 'retry-after': '0.01' })];
	const { asked, download } = scene({ answers });
	expect((await download({ url: URL, isForeign: false })).toString()).toBe('{}');
	expect(asked).toHaveLength(3);
});

test('no more than ten are asked at the same time', async () => {
	let [under, most] = [0, 0];
	const helpers = {
		httpRequest: async () => {
			most = Math.max(most, ++under);
			await new Promise((resolve) => setTimeout(resolve, 5));
			under--;
			return file();
		},
	};
	const download = createDownload({ helpers } as unknown as IExecuteFunctions, new Stop());
	await Promise.all(
		Array.from({ length: 50 }, async () => await download({ url: URL, isForeign: false })),
	);
	expect(most).toBe(10);
});

test('a server that is late again and again is not asked for thousands of files', async () => {
	const real = AbortSignal.timeout;
	const soon = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => real(20));
	let asked = 0;
	const httpRequest = async () => {
		asked++;
		return await new Promise(() => {});
	};
	const context = { helpers: { httpRequest } } as unknown as IExecuteFunctions;
	const download = createDownload(context, new Stop());
	const outcomes = await Promise.allSettled(
		Array.from({ length: 1000 }, async () => await download({ url: URL, isForeign: false })),
	);
	soon.mockRestore();
	const reasons = outcomes.map((one) => (one.status === 'rejected' ? String(one.reason) : ''));
	expect(asked).toBeLessThan(30);
	expect(new Set(reasons)).toEqual(
		new Set([
			'Error: The server did not give the whole file within 10 s',
			'Error: The server was late again and again, and is not asked any more',
		]),
	);
});
