import type { Api } from './api.mts';
import type { Sandbox } from '../service/sandbox.mts';

/** Saves the credentials under the names that the examples refer to. */
export async function saveCredentials(api: Api, sandbox: Sandbox): Promise<void> {
	const { platformUrl, nodeUrl, apiKey, authToken, username, password } = sandbox;
	const { grpcEndpoint: endpoint, xToken } = sandbox;
	const credentials = [
		['Chain Platform API', 'chainPlatformApi', { baseUrl: platformUrl, apiKey }],
		['Chain Node Token API', 'chainNodeTokenApi', { nodeUrl, authToken }],
		['Chain Node Basic Auth API', 'chainNodeBasicAuthApi', { nodeUrl, username, password }],
		['Chain Node X-Token API', 'chainNodeXTokenApi', { endpoint, xToken, tls: true }],
	] as const;
	for (const [name, type, data] of credentials) await api.saveCredential(name, type, data);
}
