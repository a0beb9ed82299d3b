import 'reflect-metadata';
import fc from 'fast-check';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getSeed } from './caseCount.mts';

// Jest asks for 100 frames, which make every error expensive, each call of expect among them.
Error.stackTraceLimit = 20;

const worker = process.env.JEST_WORKER_ID ?? '1';

// n8n logs every error of a node; here they are expected. Its files stay inside this repository, separate for each worker.
process.env.N8N_LOG_LEVEL = 'silent';
process.env.N8N_USER_FOLDER = join(process.env.TEST_FOLDER ?? tmpdir(), worker);
process.env.N8N_ENCRYPTION_KEY = 'only for tests';

// Node has it since version 22; n8n needs an even newer version.
globalThis.WebSocket ??= (createRequire(__filename)('undici') as typeof import('undici'))
	.WebSocket as unknown as typeof globalThis.WebSocket;

// Waits end by the clock that a test controls, if it controls one.
AbortSignal.timeout = (milliseconds) => {
	const over = new AbortController();
	const timer: unknown = setTimeout(() => over.abort(), milliseconds);
	// A fake timer may be a number.
	if (typeof timer === 'object') (timer as NodeJS.Timeout).unref();
	return over.signal;
};

// The test files of a process share fast-check. So settings of an earlier file end here, and all files draw the same
// cases in every run.
fc.configureGlobal({ seed: getSeed(0) });
