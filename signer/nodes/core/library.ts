export type * from '../../library/keys.mts';

/** Loads the library on first use: n8n may load every node when it starts. */
export async function loadKeyLibrary() {
	return await import('../../library/keys.mts');
}

export type KeyLibrary = Awaited<ReturnType<typeof loadKeyLibrary>>;
