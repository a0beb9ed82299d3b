import type { FastifyInstance } from 'fastify';
import { type Drop, setSilence, type SocketSettings } from '../rooms/sockets/state.mts';
import type { SandboxState } from '../state.mts';
import * as schemas from './serviceSchemas.mts';

/** The sockets of the node: how many there are, what they do, and their end. */
export function addSocketRoutes(app: FastifyInstance, state: SandboxState): void {
	app.get('/sockets', async () => {
		const { open, opened, refused } = state.sockets;
		const subscriptions = [...open].reduce((sum, socket) => sum + socket.subscriptions.size, 0);
		return { open: open.size, opened, refused, subscriptions };
	});
	app.put<{ Body: SocketSettings }>(
		'/sockets',
		{ schema: { body: schemas.sockets } },
		async ({ body }) => {
			state.sockets.settings = body;
			setSilence(state.sockets);
			return body;
		},
	);
	app.post<{ Body: { how: Drop } }>(
		'/sockets/drop',
		{ schema: { body: schemas.socketDrop } },
		async ({ body }) => {
			const dropped = [...state.sockets.open];
			for (const socket of dropped) socket.drop(body.how);
			return { dropped: dropped.length };
		},
	);
}
