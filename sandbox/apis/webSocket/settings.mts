import type { FastifyInstance } from 'fastify';
import { addSetting, closedObject } from '../../http/schemas.mts';

export interface SocketSettings {
	/** The failure of each new handshake. With null, handshakes succeed. */
	refuse: 401 | 403 | 429 | 503 | 'reset' | 'hang' | null;
	/**
	 * Whether sockets are silent. They stay open, but messages of the chain are lost. Messages of the client are read
	 * after the silence.
	 */
	silent: boolean;
	/** The delay of each frame to the client, in milliseconds. */
	delay: number;
	/** The path of the node's WebSockets. */
	path: string;
	/** Each notification is sent twice. */
	duplicate: boolean;
	/** Whether notifications are collected for 50 milliseconds and sent in reverse order. */
	shuffle: boolean;
	/** Whether notifications are held back. Calls are still answered. */
	mute: boolean;
}

interface Sockets {
	settings: SocketSettings;
	opened: number;
	refused: number;
	open: Set<OpenSocket>;
}

export interface SocketState {
	sockets: Sockets;
}

type Drop = 'reset' | 'close';

export interface OpenSocket {
	readonly subscriptions: ReadonlySet<string>;
	setSilent: (silent: boolean) => void;
	drop: (how: Drop) => void;
}

/** Creates the state of the WebSockets. A reset passes the open sockets on and clears everything else. */
export const createSockets = (open = new Set<OpenSocket>()): Sockets => ({
	settings: {
		refuse: null,
		silent: false,
		delay: 0,
		path: '/ws',
		duplicate: false,
		shuffle: false,
		mute: false,
	},
	opened: 0,
	refused: 0,
	open,
});

/** Applies the setting to open sockets. A silent socket must stop reading, because it would answer pings otherwise. */
export function setSilence({ settings, open }: Sockets): void {
	for (const socket of open) socket.setSilent(settings.silent);
}

const { settings: defaults } = createSockets();

const settingsSchema = closedObject({
	refuse: { enum: [401, 403, 429, 503, 'reset', 'hang', null], default: defaults.refuse },
	silent: { type: 'boolean', default: defaults.silent },
	delay: { type: 'number', minimum: 0, default: defaults.delay },
	path: { type: 'string', pattern: '^(/[\\w.~-]+)+$', default: defaults.path },
	duplicate: { type: 'boolean', default: defaults.duplicate },
	shuffle: { type: 'boolean', default: defaults.shuffle },
	mute: { type: 'boolean', default: defaults.mute },
});

const dropSchema = closedObject({ how: { enum: ['reset', 'close'] } }, ['how']);

export function addSocketControl(app: FastifyInstance, state: SocketState): void {
	app.get('/sockets', async () => {
		const { open, opened, refused } = state.sockets;
		const subscriptions = [...open].reduce((sum, socket) => sum + socket.subscriptions.size, 0);
		return { open: open.size, opened, refused, subscriptions };
	});
	addSetting<SocketSettings>(app, '/sockets', settingsSchema, (settings) => {
		state.sockets.settings = settings;
		setSilence(state.sockets);
	});
	app.post<{ Body: { how: Drop } }>(
		'/sockets/drop',
		{ schema: { body: dropSchema } },
		async ({ body }) => {
			const dropped = [...state.sockets.open];
			for (const socket of dropped) socket.drop(body.how);
			return { dropped: dropped.length };
		},
	);
}
