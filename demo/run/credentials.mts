import { HDNodeWallet } from 'ethers';
import type { Api } from './api.mts';
import type { ChainFacts } from '../service/chain.mts';
import type { Sandbox } from '../service/sandbox.mts';

/** The private key of the treasury, the sixth account of the sandbox's chain. It is public and protects nothing. */
export const TEST_KEY = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba';
export const TEST_ADDRESS = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc';
/** The address of the minter, the seventh account of the chain. The remote signer has its key. */
export const REMOTE_ADDRESS = '0x976EA74026E726554dB657fA54763abd0C3a0aa9';

/** The header that the webhooks of the examples require. */
export const DEMO_HEADER = { name: 'x-demo-key', value: 'demo' };

/** The seed of a wallet on the sandbox's TON chain. It is public and protects nothing. */
export const TON_SECRET = '22'.repeat(32);

/** Its rules allow jettons, too. */
const TON_SIGNER = { secret: TON_SECRET, maxAmount: '1', contracts: '*' };

/** The credential of the first account of the sandbox's STARK rollup, with its rules. Its key is public. */
export const STARK_SIGNER = {
	privateKey: '0x5f62a2c7701ccba1b833f0891950992fbe6322cffb3663f73df29791b232a2c',
	accountAddress: '0x070688b46be202f23e230d98f2eef5157144414510227d065f68a2cad351300f',
	chainIds: 'SN_SEPOLIA',
	maxFee: '100',
	contracts: '*',
};

/** The extended private key of an account that is used only for deposits. It is public and protects nothing. */
export const DEPOSITS_PRIVATE_KEY =
	'xprv9ynZdKDZaGA1He7n4qP2rz3okDihSN8K5tK3DXZfwdYn63QTZA6HHibJjbpYvsj2WCaEqU8663WXQTas7yAJ1vuRugPY2o3P7G4iGFWbAts';
/** The public key that the deposit addresses are derived from. It cannot sign. */
export const DEPOSITS_KEY = (
	HDNodeWallet.fromExtendedKey(DEPOSITS_PRIVATE_KEY) as HDNodeWallet
).neuter().extendedKey;
/** The address that receives all coins and tokens from the deposit addresses. */
export const DEPOSITS_DESTINATION = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

const createDeposits = (...tokens: readonly string[]) => ({
	accountPrivateKey: DEPOSITS_PRIVATE_KEY,
	evmDestination: DEPOSITS_DESTINATION,
	witnessDestination: 'TYtYViZFo5xavdy4SixcvuGGbZMwWVV3wL',
	chainIds: '31337',
	tokens: tokens.join('\n'),
});

/**
 * Creates the rules of the signing credentials. They allow the EVM chain and the TRON chain of the sandbox, and
 * payments over HTTP in its stablecoin.
 */
const createRules = (dollar: string) => ({
	chainIds: '31337',
	maxAmount: '1',
	maxFee: '0.05',
	contracts: '*',
	allowDeployments: true,
	allowMessages: true,
	allowTypedData: true,
	typedDataKinds: ['transferWithAuthorization'],
	tokenLimits: `${dollar} 1 6\n0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb 1 6`,
	witnessKinds: ['transfer', 'contractCall', 'vote', 'registration', 'freeze', 'delegate'],
	witnessMaxAmount: '100',
	witnessMaxFee: '100',
});

/**
 * Saves the credentials under the names that the examples use. n8n gives a new node the latest credential that fits.
 */
export async function saveCredentials(
	api: Api,
	sandbox: Sandbox,
	{ token, dollar }: Pick<ChainFacts, 'token' | 'dollar'>,
): Promise<void> {
	const rules = createRules(dollar);
	const { platformUrl, nodeUrl, apiKey, authToken, username, password } = sandbox;
	const { grpcEndpoint: endpoint, xToken } = sandbox;
	const remote = { url: `${nodeUrl}/signer`, username, password, address: REMOTE_ADDRESS };
	const credentials = [
		['Chain Platform API', 'chainPlatformApi', { baseUrl: platformUrl, apiKey }],
		['Chain Node Basic Auth API', 'chainNodeBasicAuthApi', { nodeUrl, username, password }],
		['Chain Node of Another Provider', 'chainNodeTokenApi', { nodeUrl, authToken }],
		['Chain Node Token API', 'chainNodeTokenApi', { nodeUrl, authToken }],
		['Chain Node X-Token API', 'chainNodeXTokenApi', { endpoint, xToken, tls: true }],
		['Chain Signer Deposits API', 'chainSignerDepositsApi', createDeposits(token, dollar)],
		['Chain Signer Remote API', 'chainSignerRemoteApi', { ...remote, ...rules }],
		['Chain Signer Key API', 'chainSignerKeyApi', { privateKey: TEST_KEY, ...rules }],
		['Chain Signer STARK API', 'chainSignerStarkApi', STARK_SIGNER],
		['Chain Signer TON API', 'chainSignerTonApi', TON_SIGNER],
		['Header Auth', 'httpHeaderAuth', DEMO_HEADER],
	] as const;
	for (const [name, type, data] of credentials) await api.saveCredential(name, type, data);
}
