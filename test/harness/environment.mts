import 'reflect-metadata';
import fc from 'fast-check';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getSeed } from './caseCount.mts';

// Jest asks for 100 stack frames, which makes every error and every call of `expect` slow.
Error.stackTraceLimit = 20;

const worker = process.env.JEST_WORKER_ID ?? '1';

// n8n logs every error of a node, and tests cause many errors. Its files stay in the test folder, separate for each
// worker.
process.env.N8N_LOG_LEVEL = 'silent';
process.env.N8N_USER_FOLDER = join(process.env.TEST_FOLDER ?? tmpdir(), worker);
process.env.N8N_ENCRYPTION_KEY = 'only for tests';

// Tests also run in Node 20, which has no global WebSocket. Triggers over a WebSocket need n8n on Node 22 or newer.
globalThis.WebSocket ??= (createRequire(__filename)('undici') as typeof import('undici'))
	.WebSocket as unknown as typeof globalThis.WebSocket;

// A test can control the clock with fake timers. This replacement of AbortSignal.timeout follows that clock.
AbortSignal.timeout = (milliseconds) => {
	const over = new AbortController();
	const timer: unknown = setTimeout(() => over.abort(), milliseconds);
	// With fake timers, the timer can be a number, which has no `unref`.
	if (typeof timer === 'object') (timer as NodeJS.Timeout).unref();
	return over.signal;
};

// The test files of a process share fast-check. This call ends the settings of an earlier file, and makes all runs draw
// the same cases.
fc.configureGlobal({ seed: getSeed(0) });
