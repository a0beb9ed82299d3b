import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
	INodeListSearchResult,
} from 'n8n-workflow';
import {
	inOneLine,
	InvalidInput,
	nodeError,
	parameterReader,
	readAs,
	RequestFailure,
} from '../../../nodes/core';
import { ChainNodeXTokenApi } from '../../credentials/ChainNodeXTokenApi.credentials';
import type { MethodDescription } from '../../library/schema/describe.mts';
import type { Schema } from '../../library/session.mts';
import { connect, openEndpoint, type Endpoint } from './endpoint';
import { isRefusedToken } from './failures';
import { schemaFields, schemaOf, serviceName } from './fields';

/** In milliseconds: the user waits. */
const TIMEOUT = 10_000;

type Kind = MethodDescription['kind'];

/** The lists of services, and of methods of these kinds. */
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

/** By the name in `testedBy`. */
export const credentialTest = { xToken };

/** Calls reflection with the token. */
async function xToken(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const endpoint = await connect(data, new ChainNodeXTokenApi().properties);
		const services = await endpoint.probe(TIMEOUT).finally(endpoint.close);
		return { status: 'OK', message: `Connected: ${described(services)}` };
	} catch (error) {
		return { status: 'Error', message: messageOf(error as Error) };
	}
}

function described(services: number | undefined): string {
	if (services === undefined) return 'a gRPC endpoint that does not describe itself';
	return services === 1
		? 'a gRPC endpoint with 1 service'
		: `a gRPC endpoint with ${services} services`;
}

function messageOf(error: Error): string {
	if (error instanceof InvalidInput) return inOneLine(error);
	const isRefused = error instanceof RequestFailure && isRefusedToken(error);
	return isRefused ? `The service refused the x-token: ${error.message}` : error.message;
}
