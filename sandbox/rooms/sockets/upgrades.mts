import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** The requests that want a socket, with the bytes that came behind them. */
export type Upgrades = WeakMap<IncomingMessage, Buffer>;

/** Sends upgrades through the hooks of the room, which record, delay, fault and refuse them. */
export function routeUpgrades(app: FastifyInstance): Upgrades {
	const upgrades: Upgrades = new WeakMap();
	const sockets = new Set<Duplex>();

	app.server.on('upgrade', (request, socket, head) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
		// Node leaves the socket to us: without a listener an error would end the process.
		socket.on('error', () => {});
		if (!isHandshake(request)) return void socket.end(BAD_REQUEST_TEXT, () => socket.destroy());
		upgrades.set(request, head);
		app.routing(request, createResponse(socket as Socket, request));
	});
	// The server knows them no more, but it would wait for them.
	app.addHook('preClose', async () => sockets.forEach((socket) => socket.destroy()));
	return upgrades;
}

/** For anything else fastify might wait for a body that Node does not read after an upgrade. */
const isHandshake = ({ method, headers }: IncomingMessage) =>
	method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

const BAD_REQUEST_TEXT =
	'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** What Node's server does for other requests: a response on the socket, and the end of both. */
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
