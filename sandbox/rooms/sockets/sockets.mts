import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { WebSocketServer } from 'ws';
import type { Chain } from '../../chain/chain.mts';
import type { Secrets } from '../../secrets.mts';
import type { SandboxState } from '../../state.mts';
import { formatBasicAuth, sendUnauthorized } from '../../wire/access.mts';
import { getNow } from '../../wire/record.mts';
import { stripQuery } from '../../wire/room.mts';
import { connectClient } from './socket.mts';
import type { SocketSettings } from './state.mts';
import { routeUpgrades } from './upgrades.mts';

/** The path of the sockets for the urls that ask there, with or without a token behind it. */
export function findSocketPath(url: string, { sockets }: SandboxState): string | null {
	const { path } = sockets.settings;
	return `${stripQuery(url)}/`.startsWith(`${path}/`) ? path : null;
}

/** Stands before the room's own guards, which know POST only. */
export function serveSockets(
	app: FastifyInstance,
	state: SandboxState,
	secrets: Secrets,
	chain?: Chain,
): void {
	const upgrades = routeUpgrades(app);

	app.addHook('preValidation', async (request, reply) => {
		const { method, raw, originalUrl } = request;
		const head = upgrades.get(raw);
		// A client that does not learn why its handshake failed asks again without the upgrade.
		const asks = method === 'GET' && findSocketPath(originalUrl, state) !== null;
		if (!head && !asks) return;
		const refusal = findRefusal(request, state, secrets);
		if (head && (refusal || !chain)) state.sockets.refused += 1;
		if (refusal || !chain) return sendRefusal(refusal ?? 503, reply);
		if (!head) return sendRefusal(426, reply.header('upgrade', 'websocket'));
		await openSocket(request, reply, { head, state, chain });
	});
}

type Refusal = NonNullable<SocketSettings['refuse']> | 400 | 404 | 426;

const REFUSAL_TEXTS = {
	400: 'A socket takes no query.',
	403: 'Forbidden.',
	404: 'No socket is served here.',
	426: 'This path serves WebSockets only.',
	429: 'Too many requests.',
	503: 'No sockets at the moment.',
};

function findRefusal(
	{ originalUrl, headers }: FastifyRequest,
	state: SandboxState,
	secrets: Secrets,
): Refusal | null {
	const path = findSocketPath(originalUrl, state);
	if (path === null) return 404;
	if (state.sockets.settings.refuse) return state.sockets.settings.refuse;
	const credential = stripQuery(originalUrl).slice(path.length);
	const expected = credential === '' ? formatBasicAuth(secrets) : undefined;
	const known = ['', `/${secrets.authToken}`].includes(credential);
	if (!known || headers.authorization !== expected) return 401;
	return originalUrl.includes('?') ? 400 : null;
}

function sendRefusal(how: Refusal, reply: FastifyReply): FastifyReply | void {
	if (how === 401) return sendUnauthorized(reply);
	if (how !== 'reset' && how !== 'hang')
		return reply.code(how).send({ message: REFUSAL_TEXTS[how] });
	const { socket } = reply.hijack().request.raw;
	if (how === 'reset') return void socket.resetAndDestroy();
	// Nobody reads a socket after an upgrade: unread, the end of the client would go unnoticed.
	socket.resume().once('end', () => socket.destroy());
}

interface SocketOpening {
	head: Buffer;
	state: SandboxState;
	chain: Chain;
}

const server = new WebSocketServer({ noServer: true, clientTracking: false });

async function openSocket(
	request: FastifyRequest,
	reply: FastifyReply,
	{ head, state, chain }: SocketOpening,
) {
	const line = await chain.connect();
	const { raw, entry } = request;
	raw.socket.once('close', () => {
		entry.endedAt = getNow();
	});
	let isOpen = false;
	reply.hijack().raw.detachSocket(raw.socket);
	server.handleUpgrade(raw, raw.socket, head, (client) => {
		isOpen = true;
		connectClient({ client, line }, request, state, chain);
	});
	// The client has gone meanwhile, or its handshake is malformed.
	if (isOpen) return;
	state.sockets.refused += 1;
	line.end();
}
