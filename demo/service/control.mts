import type { Sandbox } from './sandbox.mts';

/** Asks the sandbox about one of its chains, or, with a body, lets it do something there. */
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
