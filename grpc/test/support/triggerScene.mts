import type { ServerDuplexStream, ServerWritableStream } from '@grpc/grpc-js';
import type { ICredentialDataDecryptedObject, INodeParameters, INodeType } from 'n8n-workflow';
import { activateTrigger, type ActiveTrigger } from '../../../test/harness/trigger.mts';
import type { TestedNode } from '../../../test/harness/workflow.mts';
import { GrpcTrigger } from '../../nodes/GrpcTrigger/GrpcTrigger.node';
import { startGrpcTrigger, type GrpcTriggerTiming } from '../../nodes/GrpcTrigger/start';
import { createLyingServer } from './lyingServer.mts';
import { credentialTypes } from './grpcSandbox.mts';

/** A timeout in milliseconds that is never reached in a test. */
const AMPLE = 300_000;

const SHORT_TIMES: GrpcTriggerTiming = {
	describeTimeoutMs: AMPLE,
	openTimeoutMs: AMPLE,
	keepaliveTime: AMPLE,
	keepaliveTimeout: AMPLE,
	firstBackoffMs: 20,
	maxBackoffMs: 100,
	stableMs: AMPLE,
	outageMs: AMPLE,
	gatheringMs: 20,
};

export type Stream = ServerWritableStream<Buffer, Buffer> | ServerDuplexStream<Buffer, Buffer>;

/** Creates a trigger node with short times, of which `changes` replaces some. */
function hurried(changes: Partial<GrpcTriggerTiming>): INodeType {
	const node = new GrpcTrigger();
	node.trigger = async function () {
		return await startGrpcTrigger(this, { ...SHORT_TIMES, ...changes });
	};
	return node;
}

interface Settings {
	readonly parameters?: INodeParameters;
	readonly credential?: ICredentialDataDecryptedObject;
	readonly timing?: Partial<GrpcTriggerTiming>;
}

export function triggerAt(
	endpoint: string,
	{ parameters, credential, timing = {} }: Settings = {},
): TestedNode {
	return {
		node: hurried(timing),
		parameters: {
			service: 't.S',
			method: 'Stream',
			requests: '[{ "n": 7 }]',
			options: {},
			...parameters,
		},
		credentials: {
			chainNodeXTokenApi: { endpoint, xToken: 'token-0123456789', tls: false, ...credential },
		},
		credentialTypes,
	};
}

/** A message with this number. */
export const numbered = (number: number) =>
	number < 128 ? Buffer.of(8, number) : Buffer.of(8, (number & 127) | 128, number >> 7);

/** Creates a service whose streams the test controls. Triggers are stopped when their test ends. */
export function triggerScene() {
	const streams: Stream[] = [];
	let play: (stream: Stream, number: number) => unknown = () => {};
	const active: ActiveTrigger[] = [];
	const opened = (stream: Stream) => {
		stream.on('error', () => {});
		streams.push(stream);
		return play(stream, streams.length);
	};

	const server = createLyingServer({
		streams: { '/t.S/Stream': opened },
		bidis: { '/t.S/Talk': opened },
		methods: { '/t.S/Do': (request) => request },
	});
	beforeEach(() => {
		streams.length = 0;
		play = () => {};
	});
	afterEach(async () => {
		await Promise.all(active.splice(0).map(async ({ close }) => await close()));
	});

	return {
		/** The opened streams, in their order. */
		streams,
		/** Sets what the service does with every stream. */
		playing: (scene: typeof play) => (play = scene),
		tested: (settings?: Settings) => triggerAt(server.endpoint, settings),
		on: async (settings?: Settings, life?: Parameters<typeof activateTrigger>[1]) => {
			const trigger = await activateTrigger(triggerAt(server.endpoint, settings), life);
			active.push(trigger);
			return trigger;
		},
		endpoint: () => server.endpoint,
	};
}
