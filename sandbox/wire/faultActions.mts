import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxState } from '../state.mts';
import { buildEchoPage } from './echoPage.mts';
import { type FaultAction, takeNextFault } from './faults.mts';
import { pause } from './pause.mts';

declare module 'fastify' {
	interface FastifyRequest {
		/** A fault that waits for the real answer. */
		fault: FaultAction | undefined;
	}
}

export function addFaults(app: FastifyInstance, state: SandboxState): void {
	app.decorateRequest('fault');
	app.addHook('preValidation', async (request, reply) => {
		const fault = takeNextFault(state, request.entry);
		if (fault) return await applyBeforeAnswer(fault, request, reply);
	});
	// Not async: after a cut `done` is never called, for fastify has nothing left to send.
	app.addHook<string>('onSend', (request, reply, payload, done) => {
		const { fault } = request;
		if (fault && 'truncate' in fault) return truncate(reply, payload);
		if (fault && 'reset' in fault) return resetConnection(request, reply);
		if (fault && 'patch' in fault) return done(null, patchAnswer(payload, fault.patch));
		done(null, payload);
	});
}

async function applyBeforeAnswer(fault: FaultAction, request: FastifyRequest, reply: FastifyReply) {
	if ('delay' in fault) return await pause(fault.delay);
	if ('redirect' in fault) return reply.redirect(fault.redirect, fault.status);
	if ('status' in fault) {
		return reply
			.code(fault.status)
			.headers(fault.headers ?? {})
			.send(fault.body);
	}
	if ('echo' in fault) return reply.code(401).type('text/html').send(buildEchoPage(request));
	if ('stall' in fault) {
		reply.hijack();
		await pause(fault.stall);
		request.raw.socket.destroy();
	} else if ('reset' in fault && fault.reset === 'before') {
		resetConnection(request, reply);
	} else {
		request.fault = fault;
	}
}

function resetConnection(request: FastifyRequest, reply: FastifyReply): void {
	reply.hijack();
	request.raw.socket.resetAndDestroy();
}

function truncate(reply: FastifyReply, payload: string): void {
	// A client that leaves meanwhile makes the answer fail, and fastify would answer that, too.
	reply.hijack();
	const whole = Buffer.from(payload);
	reply.raw.writeHead(reply.statusCode, {
		...(reply.getHeaders() as Record<string, string>),
		'content-length': whole.length,
	});
	reply.raw.write(whole.subarray(0, whole.length >> 1), () => reply.raw.destroy());
}

function patchAnswer(payload: string, fields: Record<string, unknown>): string {
	const answer: unknown = JSON.parse(payload);
	const patch = (one: unknown) => ({ ...(one as object), ...fields });
	return JSON.stringify(Array.isArray(answer) ? answer.map(patch) : patch(answer));
}
