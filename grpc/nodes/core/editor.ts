import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
	INodeListSearchResult,
	ResourceMapperFields,
} from 'n8n-workflow';
import {
	formatInOneLine,
	InvalidInput,
	nodeError,
	createParameterParser,
	parseField,
	parseCredential,
	RequestFailure,
	formatNames,
	raise,
} from '../../../nodes/core';
import { ChainNodeXTokenApi } from '../../credentials/ChainNodeXTokenApi.credentials';
import type { MethodDescription } from '../../library/schema/describe.mts';
import type { Schema } from '../../library/session.mts';
import { connectEndpoint, openEndpoint, type GrpcEndpoint } from './endpoint';
import { isTokenRefused } from './failures';
import { parseMethodName, schemaFields, buildSchema, parseServiceName } from './fields';
import { MAX_COLUMNS, buildRequestColumns } from './requestColumns';

/** The timeout of calls in milliseconds. It is short because the user waits in the editor. */
const TIMEOUT_MS = 10_000;

type MethodKind = MethodDescription['kind'];

/** Creates the editor's lists: one of all services, and one of the methods that have one of the given kinds. */
export function createListSearch(...kinds: readonly MethodKind[]) {
	return {
		async services(this: ILoadOptionsFunctions, filter?: string) {
			const ask = async (endpoint: GrpcEndpoint, schema: Schema) =>
				await endpoint.fetchServices(schema, TIMEOUT_MS);
			return buildSearchResult(await rejectWithNodeError(this, callWithSchema(this, ask)), filter);
		},
		async methods(this: ILoadOptionsFunctions, filter?: string) {
			const methods = await rejectWithNodeError(this, fetchMethods(this));
			const names = methods.filter(({ kind }) => kinds.includes(kind)).map(({ method }) => method);
			return buildSearchResult(names, filter);
		},
	};
}

/** Builds the list for the editor. It leaves out names that begin with `=`, because n8n would evaluate them as expressions. */
function buildSearchResult(names: readonly string[], filter = ''): INodeListSearchResult {
	const fits = (name: string) =>
		!name.startsWith('=') && name.toLowerCase().includes(filter.toLowerCase());
	return { results: names.filter(fits).map((name) => ({ name, value: name })) };
}

async function rejectWithNodeError<T>(
	context: ILoadOptionsFunctions,
	work: Promise<T>,
): Promise<T> {
	return await work.catch((error: unknown) => {
		throw nodeError(context.getNode(), error, 0);
	});
}

async function fetchMethods(context: ILoadOptionsFunctions): Promise<readonly MethodDescription[]> {
	const described = await callWithSchema(context, async (endpoint, schema) => {
		const service = parseField('Service', getChosen(context, 'service'), parseServiceName);
		return await endpoint.describe(schema, service, TIMEOUT_MS);
	});
	return described as readonly MethodDescription[];
}

function getChosen(context: ILoadOptionsFunctions, locator: string): unknown {
	return context.getCurrentNodeParameter(locator, { extractValue: true });
}

async function callWithSchema<T>(
	context: ILoadOptionsFunctions,
	ask: (endpoint: GrpcEndpoint, schema: Schema) => Promise<T>,
): Promise<T> {
	const read = createParameterParser(
		({ name, default: usual }) => context.getCurrentNodeParameter(name) ?? usual,
		schemaFields,
	);
	const schema = buildSchema(read(0));
	const endpoint = await openEndpoint(context);
	return await ask(endpoint, schema).finally(endpoint.close);
}

/** Loads one column for each field of the request of the chosen method. */
export async function loadRequestFields(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	if (!getChosen(this, 'service') || !getChosen(this, 'method')) {
		return buildNotice('Choose a service and a method, and the fields of the request appear here.');
	}
	const columns = fetchColumns(this);
	// A rejection makes the editor keep the columns that it already shows, with their values.
	if (hasColumns(this)) return await rejectWithNodeError(this, columns);
	return await columns.catch((error: Error) => buildNotice(formatInOneLine(error)));
}

function hasColumns(context: ILoadOptionsFunctions): boolean {
	const columns = context.getCurrentNodeParameter('requestFields.schema');
	return Array.isArray(columns) && columns.length > 0;
}

async function fetchColumns(context: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const methods = await fetchMethods(context);
	const name = parseField('Method', getChosen(context, 'method'), parseMethodName);
	const { request, types } =
		methods.find(({ method }) => method === name) ?? raise(noMethodError(name, methods));
	if (!('fields' in request)) {
		return buildNotice(`The request of ${name} is ${request.json}. Choose JSON under Request By.`);
	}
	const { fields } = request;
	if (fields.length === 0) return buildNotice(`The request of ${name} has no fields.`);
	if (fields.length > MAX_COLUMNS) {
		return buildNotice(
			`The request of ${name} has ${fields.length} fields, too many to draw. Choose JSON under Request By.`,
		);
	}
	const bytesAs = String(context.getCurrentNodeParameter('options.bytesAs') ?? 'base64');
	return { fields: buildRequestColumns({ fields, types, bytesAs }) };
}

function noMethodError(name: string, methods: readonly MethodDescription[]): InvalidInput {
	const names = formatNames(methods.map(({ method }) => method));
	return new InvalidInput(`The service has no method ${name}`, `Its methods are: ${names}.`);
}

/** Builds a notice in place of columns. Its text is escaped, because the editor shows it as HTML and parts may come from the service. */
function buildNotice(words: string): ResourceMapperFields {
	const emptyFieldsNotice = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
	return { fields: [], emptyFieldsNotice };
}

/** The test of the credential, by the name that the credential gives in `testedBy`. */
export const credentialTest = { xToken: testXToken };

/** Calls reflection with the token. */
async function testXToken(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const endpoint = await connectEndpoint(
			parseCredential(data),
			new ChainNodeXTokenApi().properties,
		);
		const services = await endpoint.probe(TIMEOUT_MS).finally(endpoint.close);
		return { status: 'OK', message: `Connected: ${formatServiceCount(services)}` };
	} catch (error) {
		return { status: 'Error', message: formatError(error as Error) };
	}
}

function formatServiceCount(services: number | undefined): string {
	if (services === undefined) return 'a gRPC endpoint that does not describe itself';
	return services === 1
		? 'a gRPC endpoint with 1 service'
		: `a gRPC endpoint with ${services} services`;
}

function formatError(error: Error): string {
	if (error instanceof InvalidInput) return formatInOneLine(error);
	const isRefused = error instanceof RequestFailure && isTokenRefused(error);
	return isRefused ? `The service refused the x-token: ${error.message}` : error.message;
}
