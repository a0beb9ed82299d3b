import { Metadata, status } from '@grpc/grpc-js';
import type { INodeParameters } from 'n8n-workflow';
import type { NodeRun } from '../../../test/harness/engine.mts';
import { oddCall, createOddServer } from './oddService.mts';

/** Builds the error with which a service refuses a call. */
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

/** Creates a service that refuses calls as the test wants, answers all others, and counts them. */
export function refusingScene() {
	let calls = 0;
	let turns: Array<object | undefined> = [];

	const echo = (request: Buffer) => {
		calls++;
		const refused = turns.shift();
		if (refused) throw refused;
		return request;
	};
	const server = createOddServer({ Echo: echo, SendIt: echo });
	beforeEach(() => {
		calls = 0;
		turns = [];
	});

	return {
		calls: () => calls,
		/** Sets what happens to the next calls: a refusal, or undefined for a call that is answered. */
		refusing: (...next: ReadonlyArray<object | undefined>) => (turns = [...next]),
		run: async (method: string, options: INodeParameters = {}, run: Run = {}) =>
			await server.run(oddCall(method, { snakeCaseName: 'a' }, options), run),
	};
}
