import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, afterEach, before, describe, it } from 'node:test';
import { keccak256 } from 'viem';
import { STARK_SIGNER, TEST_KEY, TON_SECRET } from '../../demo/run/credentials.mts';
import { signTransfer } from '../cases/evmRpc/transactions.mts';
import { isN8n1 } from '../../tools/paths.mjs';
import { findSpellings } from '../harness/spellings.mts';
import { buildScene } from './scene.mts';
import { CUSTOM_STRANGER, CUSTOM_TYPE, STRANGER } from './stranger.mts';
import {
	errorOf,
	line,
	node,
	ours,
	resultOf,
	run,
	TESTED,
	type Node,
	type Parameters,
} from './workflows.mts';
import { control, credential, demo, secrets, type CredentialType } from './world.mts';

const CALL = { jsonrpc: '2.0', method: 'eth_maxPriorityFeePerGas', params: [], id: 1 };
const SEND = 'eth_sendRawTransaction';
const TYPES = ['chainPlatformApi', 'chainNodeTokenApi', 'chainNodeBasicAuthApi'] as const;
const SIGNER_TYPES = [
	'chainSignerDepositsApi',
	'chainSignerKeyApi',
	'chainSignerRemoteApi',
	'chainSignerStarkApi',
	'chainSignerTonApi',
] as const;

/**
 * Builds a pattern for n8n's refusal to save a workflow. It names the nodes that may use the credential, and the tools
 * made of them.
 */
function refusalOf(type: (typeof SIGNER_TYPES)[number]): RegExp {
	const names = ['pay', 'signer', 'payTool', 'signerTool'];
	const listed = names.map((one) => `n8n-nodes-chain-infra-signer\\.${one}`).join(', ');
	return new RegExp(`cannot use credential type \\W+${type}\\W.* restricted to: ${listed}\\.`);
}

const restricted = { skip: isN8n1 && 'n8n 1 does not restrict credentials' };

/** An expression that tries to read the values of a credential, as a curious editor of workflows might. */
const WISH = "typeof $credentials === 'undefined' ? 'nothing' : JSON.stringify($credentials)";

/** Builds n8n's own HTTP Request node with one of our credentials. */
function request(type: CredentialType, url: string, body?: object): Node {
	const sending = { method: 'POST', sendBody: true, specifyBody: 'json' };
	const parameters = {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: type,
		url,
		...(body && { ...sending, jsonBody: JSON.stringify(body) }),
	};
	const credentials = { [type]: credential(type) };
	return node(TESTED, 'n8n-nodes-base.httpRequest', parameters, { typeVersion: 4.2, credentials });
}

describe("n8n's HTTP Request node with our credentials", () => {
	const heard: string[] = [];
	const foreign = createServer(async (incoming, response) => {
		const { url, headers } = incoming;
		heard.push(JSON.stringify({ url, headers, body: await text(incoming) }));
		response.writeHead(200, { 'content-type': 'application/json' }).end('{"from":"elsewhere"}');
	});
	let foreignUrl = '';

	before(async () => {
		foreign.listen(0, '127.0.0.1');
		await once(foreign, 'listening');
		foreignUrl = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}/path`;
	});
	after(() => foreign.close());

	it('reaches the platform', async () => {
		const url = `${demo.sandbox.platformUrl}/v1/organization/`;
		const [organization] = await resultOf(line(request('chainPlatformApi', url)));
		assert.equal(typeof organization?.id, 'string');
	});

	for (const type of TYPES.slice(1)) {
		it(`reaches the node with ${type}`, async () => {
			const url = `${demo.sandbox.nodeUrl}/evm`;
			const [answer] = await resultOf(line(request(type, url, CALL)));
			assert.match(String(answer?.result), /^0x/);
		});
	}

	for (const type of TYPES) {
		it(`gives the secret of ${type} to no other host`, async () => {
			heard.length = 0;
			const answers = await resultOf(line(request(type, foreignUrl)));
			assert.deepEqual(answers, [{ from: 'elsewhere' }]);
			assert.equal(heard.length, 1);
			assert.match(String(heard[0]), /^{"url":"\/path"/);
			for (const secret of secrets()) assert.ok(!heard[0]?.includes(secret));
			assert.doesNotMatch(String(heard[0]), /authorization/i);
		});
	}

	for (const type of SIGNER_TYPES) {
		it(`is refused ${type} by n8n, whatever it asks for`, restricted, async () => {
			heard.length = 0;
			const wishing = request(type, `=${foreignUrl}?{{ ${WISH} }}`, {});
			const jsonBody = `={{ JSON.stringify({ wish: ${WISH} }) }}`;
			const parameters = { ...wishing.parameters, jsonBody };
			await assert.rejects(run(line({ ...wishing, parameters })), refusalOf(type));
			assert.deepEqual(heard, []);
		});

		it(`finds no credential where an expression names ${type}`, restricted, async () => {
			heard.length = 0;
			const asking = request(type, foreignUrl, {});
			const parameters = { ...asking.parameters, nodeCredentialType: `={{ '${type}' }}` };
			const execution = await run(line({ ...asking, parameters }));
			assert.equal(errorOf(execution).message, 'Credentials not found');
			assert.deepEqual(heard, []);
			showsNoSecret(execution);
		});

		it(`is no way for Code to ${type}`, restricted, async () => {
			const jsCode = `return { json: await this.getCredentials('${type}') }`;
			const credentials = { [type]: credential(type) };
			const more = { typeVersion: 2, credentials };
			const asking = node(TESTED, 'n8n-nodes-base.code', { jsCode }, more);
			await assert.rejects(run(line(asking)), refusalOf(type));
			const execution = await run(line({ ...asking, credentials: {} }));
			assert.equal(execution.status, 'error');
			showsNoSecret(execution);
		});

		it(`takes ${type} for no credential of n8n's own`, async () => {
			heard.length = 0;
			const parameters = {
				authentication: 'genericCredentialType',
				genericAuthType: 'httpBasicAuth',
				url: foreignUrl,
			};
			const credentials = { httpBasicAuth: credential(type) };
			const more = { typeVersion: 4.2, credentials };
			const asking = node(TESTED, 'n8n-nodes-base.httpRequest', parameters, more);
			const execution = await run(line(asking));
			assert.equal(execution.status, 'error');
			assert.deepEqual(heard, []);
			showsNoSecret(execution);
		});
	}

	function showsNoSecret(execution: object): void {
		const seen = JSON.stringify([heard, execution]);
		for (const secret of [...secrets(), TON_SECRET]) assert.ok(!seen.includes(secret));
		assert.deepEqual(findSpellings(TEST_KEY, [seen]), []);
		assert.ok(!seen.includes(STARK_SIGNER.privateKey.slice(2)));
	}

	it('is reported when the service refuses', async () => {
		const url = `${demo.sandbox.platformUrl}/v1/no-such-thing/`;
		const execution = await run(line(request('chainPlatformApi', url)));
		assert.equal(execution.status, 'error');
		assert.match(errorOf(execution).message, /could not be found/);
	});
});

describe('a node of somebody else', () => {
	/** Builds a workflow in which a node of another package asks for a credential. */
	const ask = (type: string, given = credential(type as CredentialType), by = STRANGER) =>
		line(node(TESTED, by, { type }, { credentials: { [type]: given } }));

	for (const type of SIGNER_TYPES)
		for (const by of [STRANGER, CUSTOM_STRANGER])
			it(`is refused ${type}, as ${by}`, restricted, async () => {
				await assert.rejects(run(ask(type, credential(type), by)), refusalOf(type));
			});

	it('gets the credentials of the first package', async () => {
		const [given] = await resultOf(ask('chainNodeTokenApi'));
		assert.ok((given?.fields as string[]).includes('authToken'));
	});

	it('in the custom folder is refused even what is beside it', restricted, async () => {
		const saved = { name: 'Restricted', type: CUSTOM_TYPE, data: { word: 'hidden' } };
		const { id } = await demo.api.ask<{ id: string }>('POST', '/credentials', saved);
		const given = { id, name: saved.name };
		await assert.rejects(
			run(ask(CUSTOM_TYPE, given, CUSTOM_STRANGER)),
			/cannot use credential type \W+strangerApi\W.* restricted to: \(no nodes\)/,
		);
	});
});

/** The tests check the claims that the README makes about the two nodes. */
describe("n8n's HTTP Request node and Chain EVM RPC, when", () => {
	const url = () => `${demo.sandbox.nodeUrl}/evm`;
	const theirs = (call: object) => request('chainNodeTokenApi', url(), { ...CALL, ...call });
	const mine = (method: string, more: Parameters = {}) =>
		ours('evmRpc', 'token', { resource: 'rpc', operation: 'request', method, ...more });
	const headers = { 'content-type': 'application/json' };
	const answering = async (body: string) =>
		await control('POST', '/faults', {
			room: 'node',
			times: 1,
			do: { status: 200, headers, body },
		});

	afterEach(async () => {
		await control('DELETE', '/faults');
		await control('DELETE', '/limits');
	});

	it('an error comes with status 200: an item for one, an error for the other', async () => {
		const refusal = '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"not that one"}}';
		await answering(refusal);
		assert.deepEqual(await resultOf(line(theirs({}))), [JSON.parse(refusal)]);
		await answering(refusal);
		const execution = await run(line(mine(CALL.method)));
		assert.deepEqual([execution.status, errorOf(execution).message], ['error', 'not that one']);
	});

	it('a number has more than 53 bits: the one rounds it, the other gives its digits', async () => {
		const answer = '{"jsonrpc":"2.0","id":1,"result":9007199254740993}';
		await answering(answer);
		const [rounded] = await resultOf(line(theirs({})));
		assert.equal(rounded?.result, 9007199254740992);
		await answering(answer);
		assert.deepEqual(await resultOf(line(mine(CALL.method))), [{ result: '9007199254740993' }]);
	});

	it('more is asked than the plan allows: the one fails, the other waits', async () => {
		const items = Array.from({ length: 12 }, (_, id) => ({ id }));
		const limit = { callsPerSecond: 4, as: 'http429', retryAfter: true, room: 'node' };
		await control('PUT', '/limits', limit);
		const refused = await run({ ...line(theirs({})), items });
		assert.match(`${refused.status}: ${errorOf(refused).message}`, /^error: .*too many requests/i);
		await control('PUT', '/limits', limit);
		const params = '={{ ["0x" + String($json.id).padStart(40, "0"), "latest"] }}';
		const waiting = mine('eth_getBalance', { params, options: { batchSize: 1 } });
		assert.equal((await resultOf({ ...line(waiting), items })).length, items.length);
		const { node: counted } = await control<Record<'node', { refused: number }>>('GET', '/counts');
		assert.ok(counted.refused > 1);
	});

	it('the answer to a sent transaction is lost: the one fails, the other finds it', async () => {
		const lost = { room: 'node', rpcMethod: SEND, times: 1, do: { reset: 'after' } };
		const first = await signTransfer(await buildScene('token'));
		await control('POST', '/faults', lost);
		const execution = await run(line(theirs({ method: SEND, params: [first] })));
		assert.equal(execution.status, 'error');
		assert.ok(await demo.sandbox.chain('eth_getTransactionByHash', keccak256(first)));
		const second = await signTransfer(await buildScene('token'));
		await control('POST', '/faults', lost);
		const given = { resource: 'transaction', operation: 'send', signedTransaction: second };
		const [sent] = await resultOf(line(ours('evmRpc', 'token', given)));
		assert.equal(sent?.transactionHash, keccak256(second));
	});
});
