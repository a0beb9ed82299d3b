import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { WebSocketServer } from 'ws';
import { type Secrets, formatBasicAuth, sendUnauthorized } from '../../http/credentials.mts';
import { getNow } from '../../http/time.mts';
import { stripQuery } from '../../http/server.mts';
import type { Chain } from '../evm/chain.mts';
import type { SocketSettings, SocketState } from './settings.mts';
import { connectClient, type ConnectionState } from './socket.mts';

/** Returns the path of the WebSockets if a URL has it, with or without a token at its end. Otherwise returns null. */
export function findSocketPath(url: string, { sockets }: SocketState): string | null {
	const { path } = sockets.settings;
	return `${stripQuery(url)}/`.startsWith(`${path}/`) ? path : null;
}

/** Adds the handling of WebSockets. It comes before the checks of the server, which accept only POST. */
export function serveSockets(
	app: FastifyInstance,
	state: ConnectionState,
	secrets: Secrets,
	chain?: Chain,
): void {
	const upgrades = routeUpgrades(app);

	app.addHook('preValidation', async (request, reply) => {
		const { method, raw, originalUrl } = request;
		const head = upgrades.get(raw);
		// A client that cannot see why its handshake failed repeats the request without the upgrade. The answer then tells
		// the reason.
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
	state: SocketState,
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
	// After an upgrade, Node no longer reads the socket. Without reading, the server would not notice when the client
	// leaves.
	socket.resume().once('end', () => socket.destroy());
}

interface SocketOpening {
	head: Buffer;
	state: ConnectionState;
	chain: Chain;
}

const server = new WebSocketServer({ noServer: true, clientTracking: false });

async function openSocket(
	request: FastifyRequest,
	reply: FastifyReply,
	{ head, state, chain }: SocketOpening,
) {
	const upstream = await chain.connect();
	const { raw, entry } = request;
	raw.socket.once('close', () => {
		entry.endedAt = getNow();
	});
	let isOpen = false;
	reply.hijack().raw.detachSocket(raw.socket);
	server.handleUpgrade(raw, raw.socket, head, (client) => {
		isOpen = true;
		connectClient({ client, upstream }, request, state, chain);
	});
	// If `isOpen` is false, the client has disconnected or its handshake is malformed.
	if (isOpen) return;
	state.sockets.refused += 1;
	upstream.end();
}

/** The requests that ask for an upgrade, with the bytes that arrived behind their headers. */
type Upgrades = WeakMap<IncomingMessage, Buffer>;

/**
 * Sends requests for a WebSocket through the server's hooks, which record, delay and refuse requests, and apply faults.
 */
function routeUpgrades(app: FastifyInstance): Upgrades {
	const upgrades: Upgrades = new WeakMap();
	const sockets = new Set<Duplex>();

	app.server.on('upgrade', (request, socket, head) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
		// Node does not handle errors of the socket after an upgrade. Without a listener, an error would end the process.
		socket.on('error', () => {});
		if (!isHandshake(request)) return void socket.end(BAD_REQUEST_TEXT, () => socket.destroy());
		upgrades.set(request, head);
		app.routing(request, createResponse(socket as Socket, request));
	});
	// The server no longer lists upgraded sockets, but would wait for their end when it closes.
	app.addHook('preClose', async () => sockets.forEach((socket) => socket.destroy()));
	return upgrades;
}

/**
 * Returns whether a request is a WebSocket handshake. Fastify might wait for the body of other requests, which Node
 * does not read after an upgrade.
 */
const isHandshake = ({ method, headers }: IncomingMessage) =>
	method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

const BAD_REQUEST_TEXT =
	'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/**
 * Creates a response on the raw socket, like Node's server for other requests. Its end closes both directions of the
 * socket.
 */
function createResponse(socket: Socket, request: IncomingMessage): ServerResponse {
	const response = new ServerResponse(request);
	response.shouldKeepAlive = false;
	response.assignSocket(socket);
	response.once('finish', () => {
		response.detachSocket(socket);
		response.emit('close');
		socket.destroySoon();
	});
	return response;
}
