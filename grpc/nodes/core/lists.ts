import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { nodeError, parameterReader, readAs } from '../../../nodes/core';
import type { MethodDescription } from '../../library/schema/describe.mts';
import type { Schema } from '../../library/session.mts';
import { openEndpoint, type Endpoint } from './endpoint';
import { serviceName } from './fields';
import { schemaFields, schemaOf } from './schema';

const TIMEOUT = 10_000;

type Kind = MethodDescription['kind'];

/** What the editor offers for a service and for a method of one of these kinds. */
export function listsOf(...kinds: readonly Kind[]) {
	return {
		async services(this: ILoadOptionsFunctions, filter?: string) {
			const ask = async (endpoint: Endpoint, schema: Schema) =>
				await endpoint.services(schema, TIMEOUT);
			return searchResult(await withSchema(this, ask), filter);
		},
		async methods(this: ILoadOptionsFunctions, filter?: string) {
			const described = await withSchema(this, async (endpoint, schema) => {
				const chosen = this.getCurrentNodeParameter('service', { extractValue: true });
				const service = readAs('Service', chosen, serviceName);
				return await endpoint.describe(schema, service, TIMEOUT);
			});
			const methods = (described as readonly MethodDescription[]).filter(({ kind }) =>
				kinds.includes(kind),
			);
			return searchResult(
				methods.map(({ method }) => method),
				filter,
			);
		},
	};
}

function searchResult(names: readonly string[], filter = ''): INodeListSearchResult {
	const fits = (name: string) => name.toLowerCase().includes(filter.toLowerCase());
	return { results: names.filter(fits).map((name) => ({ name, value: name })) };
}

async function withSchema<T>(
	context: ILoadOptionsFunctions,
	ask: (endpoint: Endpoint, schema: Schema) => Promise<T>,
): Promise<T> {
	try {
		const read = parameterReader(
			({ name, default: usual }) => context.getCurrentNodeParameter(name) ?? usual,
			schemaFields,
		);
		const schema = schemaOf(read(0));
		const endpoint = await openEndpoint(context);
		return await ask(endpoint, schema).finally(endpoint.close);
	} catch (error) {
		throw nodeError(context.getNode(), error, 0);
	}
}
