import type { Api } from './api.mts';
import type { Sandbox } from '../service/sandbox.mts';

/** The second account of the sandbox's chain: everybody knows its key, which protects nothing. */
const TEST_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const TEST_ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** Of the sandbox's chain, and of its witness chain. */
const RULES = {
	chainIds: '31337',
	maxAmount: '1',
	maxFee: '0.05',
	contracts: '*',
	allowDeployments: true,
	allowMessages: true,
	allowTypedData: true,
	witnessKinds: ['transfer', 'contractCall', 'vote', 'registration', 'freeze'],
	witnessMaxAmount: '100',
	witnessMaxFee: '100',
};

/** Saves the credentials under the names that the examples refer to. */
export async function saveCredentials(api: Api, sandbox: Sandbox): Promise<void> {
	const { platformUrl, nodeUrl, apiKey, authToken, username, password } = sandbox;
	const { grpcEndpoint: endpoint, xToken } = sandbox;
	const remote = { url: `${nodeUrl}/signer`, username, password, address: TEST_ADDRESS };
	const credentials = [
		['Chain Platform API', 'chainPlatformApi', { baseUrl: platformUrl, apiKey }],
		['Chain Node Token API', 'chainNodeTokenApi', { nodeUrl, authToken }],
		['Chain Node Basic Auth API', 'chainNodeBasicAuthApi', { nodeUrl, username, password }],
		['Chain Node X-Token API', 'chainNodeXTokenApi', { endpoint, xToken, tls: true }],
		['Chain Signer Key API', 'chainSignerKeyApi', { privateKey: TEST_KEY, ...RULES }],
		['Chain Signer Remote API', 'chainSignerRemoteApi', { ...remote, ...RULES }],
	] as const;
	for (const [name, type, data] of credentials) await api.saveCredential(name, type, data);
}
