import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
	INodeListSearchResult,
	ResourceMapperFields,
} from 'n8n-workflow';
import {
	inOneLine,
	InvalidInput,
	nodeError,
	parameterReader,
	readAs,
	RequestFailure,
	someOf,
} from '../../../nodes/core';
import { ChainNodeXTokenApi } from '../../credentials/ChainNodeXTokenApi.credentials';
import type { MethodDescription } from '../../library/schema/describe.mts';
import type { Schema } from '../../library/session.mts';
import { connect, openEndpoint, type Endpoint } from './endpoint';
import { isRefusedToken } from './failures';
import { methodName, schemaFields, schemaOf, serviceName } from './fields';
import { MOST_COLUMNS, requestColumns } from './requestColumns';

/** In milliseconds: the user waits. */
const TIMEOUT = 10_000;

type Kind = MethodDescription['kind'];

/** The lists of services, and of methods of these kinds. */
export function listsOf(...kinds: readonly Kind[]) {
	return {
		async services(this: ILoadOptionsFunctions, filter?: string) {
			const ask = async (endpoint: Endpoint, schema: Schema) =>
				await endpoint.services(schema, TIMEOUT);
			return searchResult(await asNodeError(this, withSchema(this, ask)), filter);
		},
		async methods(this: ILoadOptionsFunctions, filter?: string) {
			const methods = await asNodeError(this, methodsOfService(this));
			const names = methods.filter(({ kind }) => kinds.includes(kind)).map(({ method }) => method);
			return searchResult(names, filter);
		},
	};
}

/** A name that n8n would evaluate is not offered. */
function searchResult(names: readonly string[], filter = ''): INodeListSearchResult {
	const fits = (name: string) =>
		!name.startsWith('=') && name.toLowerCase().includes(filter.toLowerCase());
	return { results: names.filter(fits).map((name) => ({ name, value: name })) };
}

async function asNodeError<T>(context: ILoadOptionsFunctions, work: Promise<T>): Promise<T> {
	return await work.catch((error: unknown) => {
		throw nodeError(context.getNode(), error, 0);
	});
}

async function methodsOfService(
	context: ILoadOptionsFunctions,
): Promise<readonly MethodDescription[]> {
	const described = await withSchema(context, async (endpoint, schema) => {
		const service = readAs('Service', chosenIn(context, 'service'), serviceName);
		return await endpoint.describe(schema, service, TIMEOUT);
	});
	return described as readonly MethodDescription[];
}

function chosenIn(context: ILoadOptionsFunctions, locator: string): unknown {
	return context.getCurrentNodeParameter(locator, { extractValue: true });
}

async function withSchema<T>(
	context: ILoadOptionsFunctions,
	ask: (endpoint: Endpoint, schema: Schema) => Promise<T>,
): Promise<T> {
	const read = parameterReader(
		({ name, default: usual }) => context.getCurrentNodeParameter(name) ?? usual,
		schemaFields,
	);
	const schema = schemaOf(read(0));
	const endpoint = await openEndpoint(context);
	return await ask(endpoint, schema).finally(endpoint.close);
}

/** A column for each field of the request of the chosen method. */
export async function requestFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	if (!chosenIn(this, 'service') || !chosenIn(this, 'method')) {
		return nothing('Choose a service and a method, and the fields of the request appear here.');
	}
	const columns = columnsOfMethod(this);
	// Where this fails, the editor keeps the columns that it has, with what is in them.
	if (hasColumns(this)) return await asNodeError(this, columns);
	return await columns.catch((error: Error) => nothing(inOneLine(error)));
}

function hasColumns(context: ILoadOptionsFunctions): boolean {
	const columns = context.getCurrentNodeParameter('requestFields.schema');
	return Array.isArray(columns) && columns.length > 0;
}

async function columnsOfMethod(context: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const methods = await methodsOfService(context);
	const name = readAs('Method', chosenIn(context, 'method'), methodName);
	const { request, types } =
		methods.find(({ method }) => method === name) ?? noMethod(name, methods);
	if (!('fields' in request)) {
		return nothing(`The request of ${name} is ${request.json}. Choose JSON under Request By.`);
	}
	const { fields } = request;
	if (fields.length === 0) return nothing(`The request of ${name} has no fields.`);
	if (fields.length > MOST_COLUMNS) {
		return nothing(
			`The request of ${name} has ${fields.length} fields, too many to draw. Choose JSON under Request By.`,
		);
	}
	const bytesAs = String(context.getCurrentNodeParameter('options.bytesAs') ?? 'base64');
	return { fields: requestColumns({ fields, types, bytesAs }) };
}

function noMethod(name: string, methods: readonly MethodDescription[]): never {
	const names = someOf(methods.map(({ method }) => method));
	throw new InvalidInput(`The service has no method ${name}`, `Its methods are: ${names}.`);
}

/** The editor takes the words for HTML, and some may be the service's. */
function nothing(words: string): ResourceMapperFields {
	const emptyFieldsNotice = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
	return { fields: [], emptyFieldsNotice };
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
