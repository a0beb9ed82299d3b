import { sleep } from 'n8n-workflow';
import type { HttpRequest } from './types';
import type { MultipartForm } from './multipart';
import { timedOut } from './networkErrors';

const LOOK = 250;

/**
 * Waits for an upload as long as it moves. n8n's client counts its own timeout from the beginning of a request,
 * and a large file takes as long as it takes; so that one is off, and this one counts the silence.
 */
export async function unlessSilent<T>(
	upload: Promise<T>,
	form: MultipartForm,
	request: HttpRequest,
	timeout: number,
): Promise<T> {
	let isOver = false;
	const watch = async (): Promise<never> => {
		while (!isOver && Date.now() - form.lastMove < timeout) await sleep(Math.min(timeout, LOOK));
		form.stop();
		throw timedOut({ ...request, timeout });
	};
	try {
		return await Promise.race([upload, watch()]);
	} finally {
		isOver = true;
	}
}
