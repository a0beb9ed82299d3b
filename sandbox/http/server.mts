import { AjvCompiler } from '@fastify/ajv-compiler';
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { addFaults, type FaultState } from './faults.mts';
import { addRecording, type RecordState, type ServerName, serverNameSchema } from './recording.mts';
import { closedObject, formatSchemaErrors } from './schemas.mts';
import { pause } from './time.mts';

/** Compiles schemas. All sandboxes of a process share it, so that each schema is compiled only once. */
const buildValidator = AjvCompiler();

/**
 * The options of all servers. With `verbose`, an error has its schema, whose description becomes part of the refusal.
 */
export const STRICT_OPTIONS = {
	exposeHeadRoutes: false,
	forceCloseConnections: true,
	schemaController: { compilersFactory: { buildValidator } },
	schemaErrorFormatter: (errors, part) => new Error(formatSchemaErrors(errors, part)),
	ajv: {
		customOptions: {
			removeAdditional: false,
			coerceTypes: false,
			allErrors: true,
			verbose: true,
			strictTypes: false,
		},
	},
} satisfies FastifyServerOptions;

export interface LatencyState {
	/** Milliseconds before every answer. */
	latency: Record<ServerName, number>;
}

interface ServerOptions {
	name: ServerName;
	state: RecordState & LatencyState & FaultState;
	server?: FastifyServerOptions;
	/** Returns the path that the record and the faults use. */
	pathOf?: (url: string) => string;
}

/**
 * Creates a server that records, delays and fails requests as the control server says. The routes and checks of the
 * server come later.
 */
export function createServer({ name, state, server, pathOf = stripQuery }: ServerOptions) {
	const app: FastifyInstance = fastify({ ...STRICT_OPTIONS, ...server });
	addRecording(app, name, state, pathOf);
	app.addHook('preValidation', async () => pause(state.latency[name]));
	addFaults(app, state);
	return app;
}

export const stripQuery = (url: string): string => url.replace(/\?.*/s, '');

class NotJson extends Error {
	readonly statusCode = 400;
}

/** Lets routes take a JSON body or no body. The bodies arrive as text on the node, so that its checks come first. */
export function addJsonBodies(app: FastifyInstance): void {
	app.addHook('preValidation', async (request) => {
		const text = String(request.body ?? '');
		request.body = text === '' ? undefined : parseBody(text);
	});
}

function parseBody(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new NotJson('The body is not JSON.');
	}
}

interface LatencyRequest {
	Body: { ms: number; room?: ServerName };
}

const latencySchema = closedObject({ ms: { type: 'number', minimum: 0 }, room: serverNameSchema }, [
	'ms',
]);

export function addLatencyControl(app: FastifyInstance, state: LatencyState): void {
	app.put<LatencyRequest>('/latency', { schema: { body: latencySchema } }, async ({ body }) => {
		const names = body.room ? [body.room] : (['platform', 'node'] as const);
		for (const name of names) state.latency[name] = body.ms;
		return state.latency;
	});
}
