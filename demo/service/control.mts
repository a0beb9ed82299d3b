import type { Sandbox } from './sandbox.mts';

/** Sends a request to the sandbox's control server. It is a POST if there is a body, otherwise a GET. */
export async function controlSandbox<Answer = unknown>(
	{ controlUrl }: Pick<Sandbox, 'controlUrl'>,
	path: string,
	body?: object,
): Promise<Answer> {
	const answer = await fetch(`${controlUrl}${path}`, {
		method: body ? 'POST' : 'GET',
		headers: body && { 'content-type': 'application/json' },
		body: body && JSON.stringify(body),
	});
	if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
	return (await answer.json()) as Answer;
}
