import { setTimeout as sleep } from 'node:timers/promises';
import { isN8n1 } from '../../tools/paths.mjs';
import type { CallN8n } from './session.mts';

const TIMEOUT_MS = 120_000;

interface Publication {
	status: string;
	triggers: Array<{ errorMessage: string | null }>;
}

/** Activates and deactivates workflows. */
export function createPublication(ask: CallN8n) {
	/** Restarts an active workflow, because n8n would otherwise keep it running with the old credentials. */
	async function activate(id: string): Promise<void> {
		await deactivate(id);
		const { versionId } = await ask<{ versionId: string }>('GET', `/workflows/${id}`);
		await ask('POST', `/workflows/${id}/activate`, { versionId });
		const { status, triggers } = await settled(id, 'published', 'failed');
		if (status === 'failed') throw new Error(triggers[0]?.errorMessage ?? status);
	}

	async function deactivate(id: string): Promise<void> {
		await ask('POST', `/workflows/${id}/deactivate`, {});
		await settled(id, 'not_published');
	}

	/**
	 * Waits until the triggers of a workflow have started or ended. n8n 2 starts and ends triggers only after it has
	 * answered the request. n8n 1 does so before its answer, so no wait is needed.
	 */
	async function settled(id: string, ...wanted: string[]): Promise<Publication> {
		if (isN8n1) return { status: wanted[0] ?? '', triggers: [] };
		for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await sleep(100)) {
			const found = await ask<Publication>('GET', `/workflows/${id}/publication-status`);
			if (wanted.includes(found.status)) return found;
		}
		throw new Error(`The workflow is not ${wanted.join(' or ')} after ${TIMEOUT_MS / 1000} s`);
	}

	return { activate, deactivate };
}
