export type * from '../../library/keys.mts';

/** Loaded on first use: n8n may load every node when it starts. */
export async function loadKeys() {
	return await import('../../library/keys.mts');
}

export type Keys = Awaited<ReturnType<typeof loadKeys>>;
