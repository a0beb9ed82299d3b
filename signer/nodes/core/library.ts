export type * from '../../library/keys.mts';
export type { StarkKey } from '../../library/stark.mts';

/** Loads the library on first use, because n8n may load every node when it starts. */
export async function loadKeyLibrary() {
	return await import('../../library/keys.mts');
}

export type StarkLibrary = Awaited<ReturnType<KeyLibrary['loadStarkLibrary']>>;

export type KeyLibrary = Awaited<ReturnType<typeof loadKeyLibrary>>;
