import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { inOneLine, InvalidInput, RequestFailure } from '../../../nodes/core';
import { ChainNodeXTokenApi } from '../../credentials/ChainNodeXTokenApi.credentials';
import { connect } from './endpoint';
import { isRefusedToken } from './status';

const TIMEOUT = 10_000;

/** What the node names in `testedBy`. */
export const credentialTest = { xToken };

/** Asks the endpoint what it offers: a real call, with the token. */
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
