import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startForTests } from '../../../test/harness/started.mts';
import { startLyingServer } from './lyingServer.mts';

/** The declaration of the service for .proto texts. */
export const SERVICE = 'service S { rpc Do (M) returns (M); }';

/** Starts a service that returns what it gets, or `answer`; the node knows it by .proto text. */
export async function startProtoEcho() {
	const requests: string[] = [];
	const answers: Uint8Array[] = [];
	const server = await startLyingServer({
		methods: {
			'/a.b.S/Do': (request) => {
				requests.push(request.toString('hex'));
				return answers.shift() ?? request;
			},
		},
	});
	const run = async (
		content: string | readonly string[],
		parameters: INodeParameters,
		item: IDataObject = {},
	) => {
		const texts = [content].flat();
		const file = texts.map((text, index) => ({ name: `${index}.proto`, content: text }));
		const schema = { schemaFrom: 'proto', protoFiles: { file }, service: 'a.b.S' };
		return await server.run({ ...schema, ...parameters }, { items: [{ json: item }] });
	};
	const echoed = async (content: string | readonly string[], request: object | string) => {
		const text = typeof request === 'string' ? request : JSON.stringify(request);
		const { json, message } = await run(content, {
			operation: 'call',
			method: 'Do',
			request: text,
		});
		return message ?? json[0];
	};
	return {
		/** The requests in hex. */
		requests,
		/** The answers, one after the other. */
		answers,
		stop: () => server.stop(),
		run,
		/** Sends a request. Returns the answer, or the message of the error. */
		echoed,
	};
}

/** Starts the echo service for one test file. */
export const createProtoEcho = () => startForTests(startProtoEcho);
