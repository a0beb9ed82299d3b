import { Metadata, status } from '@grpc/grpc-js';
import type { INodeParameters } from 'n8n-workflow';
import { runNode, type NodeRun } from '../../../test/harness/engine.mts';
import { Grpc } from '../../nodes/Grpc/Grpc.node';
import { credentialTypes } from './grpcSandbox.mts';
import { FILES } from './oddFiles.mts';
import { startOddServer } from './oddServer.mts';

/** The error that a service throws to refuse a call. */
export function refusal(
	details: string,
	metadata: Readonly<Record<string, string | Buffer>> = {},
	code = status.RESOURCE_EXHAUSTED,
) {
	const trailers = new Metadata();
	for (const [name, value] of Object.entries(metadata)) trailers.set(name, value);
	return { code, details, metadata: trailers };
}

type Run = Partial<Omit<NodeRun, 'parameters'>>;

/** A service that refuses calls as a test wants, echoes all others, and counts them. */
export function refusingScene() {
	let server: Awaited<ReturnType<typeof startOddServer>>;
	let calls = 0;
	let turns: Array<object | undefined> = [];

	beforeAll(async () => {
		const echo = (request: Buffer) => {
			calls++;
			const refused = turns.shift();
			if (refused) throw refused;
			return request;
		};
		server = await startOddServer(FILES, {
			'/odd.v1.OddService/Echo': echo,
			'/odd.v1.OddService/SendIt': echo,
		});
	});
	afterAll(() => server.stop());
	beforeEach(() => {
		calls = 0;
		turns = [];
	});

	return {
		calls: () => calls,
		/** Sets a refusal for each of the next calls, or nothing for a call that is answered. */
		refusing: (...next: ReadonlyArray<object | undefined>) => (turns = [...next]),
		run: async (method: string, options: INodeParameters = {}, run: Run = {}) =>
			await runNode({
				node: new Grpc(),
				parameters: {
					operation: 'call',
					service: 'odd.v1.OddService',
					method,
					options,
					request: '{ "snakeCaseName": "a" }',
				},
				credentials: {
					chainNodeXTokenApi: { endpoint: server.endpoint, xToken: 'token-0123', tls: false },
				},
				credentialTypes,
				...run,
			}),
	};
}
