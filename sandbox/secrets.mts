import { randomBytes } from 'node:crypto';

export interface Secrets {
	apiKey: string;
	authToken: string;
	username: string;
	password: string;
}

type Environment = Record<string, string | undefined>;

const createSecret = () => randomBytes(16).toString('hex');

/** The secrets of one sandbox: random, unless the environment names them. */
export function createSecrets(environment: Environment): Secrets {
	return {
		apiKey: environment.SANDBOX_API_KEY || createSecret(),
		authToken: environment.SANDBOX_AUTH_TOKEN || createSecret(),
		username: environment.SANDBOX_USERNAME || `user-${createSecret()}`,
		password: environment.SANDBOX_PASSWORD || createSecret(),
	};
}

export const createXToken = (environment: Environment): string =>
	environment.SANDBOX_X_TOKEN || createSecret();
