import { AjvCompiler } from '@fastify/ajv-compiler';
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import type { ServerName } from '../names.mts';
import type { SandboxState } from '../state.mts';
import { addFaults } from './faultActions.mts';
import { pause } from './pause.mts';
import { addRecording } from './record.mts';
import { formatSchemaErrors } from './words.mts';

/** One for all sandboxes of a process: the schemas are compiled once. */
const buildValidator = AjvCompiler();

/** `verbose` keeps the schema with each error: its description makes the words of a refusal. */
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

export interface ServerOptions {
	name: ServerName;
	state: SandboxState;
	server?: FastifyServerOptions;
	/** The path as the record and the faults see it. */
	pathOf?: (url: string) => string;
}

/** A server that records, waits and fails as the control room says; the room adds its rules. */
export function createServer({ name, state, server, pathOf = stripQuery }: ServerOptions) {
	const app: FastifyInstance = fastify({ ...STRICT_OPTIONS, ...server });
	addRecording(app, name, state, pathOf);
	app.addHook('preValidation', async () => pause(state.latency[name]));
	addFaults(app, state);
	return app;
}

export const stripQuery = (url: string): string => url.replace(/\?.*/s, '');
