import type { INodeParameters, INodeType } from 'n8n-workflow';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { Platform } from '../../nodes/Platform/Platform.node';
import { runNode, type NodeRun } from '../harness/engine.mts';
import { createSandbox } from '../harness/sandbox.mts';

/** These tests check that an error shows no secret, although the service repeats the secret in its refusal. */

const sandbox = createSandbox();

const SECRET_FIELDS = { platform: 'apiKey', token: 'authToken', basicAuth: 'password' } as const;
type Access = keyof typeof SECRET_FIELDS;

const FEE: INodeParameters = { resource: 'fee', operation: 'getMaxPriority' };
const NODES: ReadonlyArray<readonly [Access, INodeType, INodeParameters, asked: string]> = [
	['platform', new Platform(), {}, 'GET /v1/organization/'],
	['token', new EvmRpc(), FEE, 'POST /evm'],
	['basicAuth', new EvmRpc(), FEE, 'POST /evm'],
];

describe.each(NODES)('by %s', (authentication, node, parameters, asked) => {
	const run = async (more: Partial<NodeRun> = {}) => {
		const result = await runNode({
			node,
			parameters: { authentication, ...parameters },
			credentials: sandbox.credentials[authentication],
			...more,
		});
		return { ...result, shown: JSON.stringify([result, { ...result.error }, result.error?.stack]) };
	};

	test('a wrong one fails with the words of the service, and not item by item', async () => {
		const [[type, credential] = ['', {}]] = Object.entries(sandbox.credentials[authentication]);
		const { error, shown } = await run({
			credentials: { [type]: { ...credential, [SECRET_FIELDS[authentication]]: 'wrong-secret' } },
			items: Array.from({ length: 50 }, () => ({ json: {} })),
		});
		expect(error?.description).toContain(
			`${asked} answered 401. Check the secret in the credential`,
		);
		expect(shown).not.toContain('wrong-secret');
		expect((await sandbox.record()).length).toBeLessThanOrEqual(10);
	});

	test('one that a page echoes in every spelling is struck from everything', async () => {
		await sandbox.fault({ do: { echo: true } });
		const { error, shown } = await run();
		expect(error).toMatchObject({ httpCode: '401' });
		for (const secret of [sandbox.apiKey, sandbox.authToken, sandbox.password]) {
			const pair = Buffer.from(`${sandbox.username}:${secret}`).toString('base64');
			const base64 = Buffer.from(secret).toString('base64').slice(0, -4);
			for (const spelling of [secret, encodeURIComponent(secret), base64, pair]) {
				expect(shown).not.toContain(spelling);
			}
		}
		expect(shown).not.toContain('127.0.0.1');
	});
});
