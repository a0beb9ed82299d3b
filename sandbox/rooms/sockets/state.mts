export interface SocketSettings {
	/** How new handshakes end. */
	refuse: 401 | 403 | 429 | 503 | 'reset' | 'hang' | null;
	/** Sockets stay open, but nothing passes. */
	silent: boolean;
	/** Milliseconds before each frame to the client. */
	delay: number;
	path: string;
	duplicate: boolean;
	shuffle: boolean;
	mute: boolean;
}

export interface SocketState {
	settings: SocketSettings;
	opened: number;
	refused: number;
	open: Set<OpenSocket>;
}

export type Drop = 'reset' | 'close';

export interface OpenSocket {
	readonly subscriptions: ReadonlySet<string>;
	setSilent: (silent: boolean) => void;
	drop: (how: Drop) => void;
}

/** A reset forgets everything but the sockets that are open. */
export const createSocketState = (open = new Set<OpenSocket>()): SocketState => ({
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

/** Open sockets hear of it: a silent one must stop reading, or it would answer pings. */
export function setSilence({ settings, open }: SocketState): void {
	for (const socket of open) socket.setSilent(settings.silent);
}
