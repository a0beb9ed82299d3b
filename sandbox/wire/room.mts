import { AjvCompiler } from '@fastify/ajv-compiler';
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import type { RoomName } from '../names.mts';
import type { SandboxState } from '../state.mts';
import { injectFaults } from './faultActions.mts';
import { pause } from './pause.mts';
import { recordRequests } from './record.mts';
import { words } from './words.mts';

/** One for all sandboxes of a process: the schemas are compiled once. */
const buildValidator = AjvCompiler();

/** `verbose` keeps the schema with each error: its description makes the words of a refusal. */
export const strictly = {
	exposeHeadRoutes: false,
	forceCloseConnections: true,
	schemaController: { compilersFactory: { buildValidator } },
	schemaErrorFormatter: (errors, part) => new Error(words(errors, part)),
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

export interface RoomOptions {
	name: RoomName;
	state: SandboxState;
	server?: FastifyServerOptions;
	/** The path as the record and the faults see it. */
	pathOf?: (url: string) => string;
}

/** A server that records, waits and fails as the control room says; the room adds its rules. */
export function openRoom({ name, state, server, pathOf = withoutQuery }: RoomOptions) {
	const app: FastifyInstance = fastify({ ...strictly, ...server });
	recordRequests(app, name, state, pathOf);
	app.addHook('preValidation', async () => pause(state.latency[name]));
	injectFaults(app, state);
	return app;
}

export const withoutQuery = (url: string): string => url.replace(/\?.*/s, '');
