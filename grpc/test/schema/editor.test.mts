import { CredentialTestContext, LoadOptionsContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { engineFor } from '../../../test/harness/lent.mts';
import { TESTED, workflowOf } from '../../../test/harness/workflow.mts';
import { Grpc } from '../../nodes/Grpc/Grpc.node';
import {
	credentialTypes,
	startGrpcSandbox,
	until,
	type GrpcSandbox,
} from '../support/grpcSandbox.mts';

let sandbox: GrpcSandbox;
const { listSearch, credentialTest } = new Grpc().methods;

beforeAll(async () => {
	sandbox = await startGrpcSandbox();
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.reset());

/** What the editor shows in a list, for the parameters that stand in its form. */
async function listed(
	list: keyof typeof listSearch,
	filter?: string,
	{
		credential = {},
		...parameters
	}: INodeParameters & { credential?: ICredentialDataDecryptedObject } = {},
) {
	const chainNodeXTokenApi = { ...sandbox.credential, ...credential };
	const tested = {
		node: new Grpc(),
		parameters,
		credentials: { chainNodeXTokenApi },
		credentialTypes,
	};
	const workflow = workflowOf(tested);
	const { additionalData } = engineFor(tested);
	const context = new LoadOptionsContext(
		workflow,
		workflow.getNode(TESTED)!,
		{ ...additionalData, currentNodeParameters: parameters },
		'',
	);
	const { results } = await listSearch[list].call(context, filter);
	return results.map(({ name, value }) => (name === value ? name : [name, value]));
}

const of = (service: string) => ({ service: { __rl: true, mode: 'list', value: service } });

test('services are offered, those first that fit what was typed', async () => {
	expect(await listed('services')).toHaveLength(4);
	expect(await listed('services', 'CHAINS')).toEqual(['chain.v1.ChainService']);
	expect(await listed('services', 'nothing')).toEqual([]);
	await until(async () => (await sandbox.seen()).openConnections === 0);
});

test('the methods of the chosen service are offered', async () => {
	expect(await listed('methods', '', of('chain.v1.ChainService'))).toEqual([
		'GetBlock',
		'StreamBlocks',
		'CountBlocks',
		'Watch',
	]);
	expect(await listed('methods', 'stream', of('chain.v1.ChainService'))).toEqual(['StreamBlocks']);
});

test('what is wrong is told in the list', async () => {
	await expect(
		listed('services', '', { credential: { xToken: 'wrong-token-0123' } }),
	).rejects.toThrow('invalid x-token');
	await expect(listed('services', '', { credential: { endpoint: '127.0.0.1:9' } })).rejects.toThrow(
		'The endpoint refused the connection',
	);
	await expect(listed('methods', '', of(''))).rejects.toThrow(
		"'Service' must be the full name of a service, such as chain.v1.ChainService; it is empty",
	);
	await expect(listed('methods', '', of('chain.v1.Nope'))).rejects.toThrow(
		'The endpoint offers no service chain.v1.Nope',
	);
});

async function tested(data: ICredentialDataDecryptedObject) {
	const context = new CredentialTestContext({} as never);
	return await credentialTest.xToken.call(context, {
		id: '1',
		name: '',
		type: '',
		data: { ...sandbox.credential, ...data },
	});
}

const connected = (to: string) => ({ status: 'OK', message: `Connected: a gRPC endpoint ${to}` });

test('the right credential passes, also where there is no reflection', async () => {
	expect(await tested({})).toEqual(connected('with 6 services'));
	await sandbox.set({ reflection: [] });
	expect(await tested({})).toEqual(connected('that does not describe itself'));
	await until(async () => (await sandbox.seen()).openConnections === 0);
});

test.each<[string, ICredentialDataDecryptedObject, RegExp]>([
	[
		'a wrong token',
		{ xToken: 'wrong-token-0123' },
		/^The service refused the x-token: invalid x-token$/,
	],
	['a dead endpoint', { endpoint: '127.0.0.1:9' }, /^The endpoint refused the connection$/],
	[
		'a URL',
		{ endpoint: 'https://node.example.com' },
		/^'Endpoint' of the credential must be host:port.*example\.com:443\. It has no https:/,
	],
	['an empty token', { xToken: ' ' }, /^The X-Token of the credential is empty$/],
])('%s fails with a sentence that helps', async (_, data, message) => {
	expect(await tested(data)).toEqual({ status: 'Error', message: expect.stringMatching(message) });
});
