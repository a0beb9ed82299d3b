import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { nodeError } from '../../../nodes/core/errors/nodeError';
import { readAs } from '../../../nodes/core/values/read';
import type { Session } from '../../library/session.mts';
import { openEndpoint } from './endpoint';
import { serviceName } from './fields';

const TIMEOUT = 10_000;

/** What the editor offers for a service and a method. */
export const listSearch = { services, methods };

async function services(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return listed(await asked(this, async (session) => await session.services(TIMEOUT)), filter);
}

/** The methods that the node can call: those that take one request. */
async function methods(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const described = await asked(this, async (session) => {
		const chosen = this.getCurrentNodeParameter('service', { extractValue: true });
		return await session.describe(readAs('Service', chosen, serviceName), TIMEOUT);
	});
	const callable = described.filter(({ kind }) => kind === 'unary' || kind === 'serverStreaming');
	return listed(
		callable.map(({ method }) => method),
		filter,
	);
}

function listed(names: readonly string[], filter = ''): INodeListSearchResult {
	const fits = (name: string) => name.toLowerCase().includes(filter.toLowerCase());
	return { results: names.filter(fits).map((name) => ({ name, value: name })) };
}

async function asked<T>(
	context: ILoadOptionsFunctions,
	request: (session: Session) => Promise<T>,
): Promise<T> {
	try {
		const endpoint = await openEndpoint(context);
		return await endpoint.send(request).finally(endpoint.close);
	} catch (error) {
		throw nodeError(context.getNode(), error, 0);
	}
}
