import { randomBytes } from 'node:crypto';

export interface Secrets {
	apiKey: string;
	authToken: string;
	username: string;
	password: string;
}

type Environment = Record<string, string | undefined>;

const random = () => randomBytes(16).toString('hex');

/** The secrets of one sandbox: random, unless the environment names them. */
export function secretsFrom(environment: Environment): Secrets {
	return {
		apiKey: environment.SANDBOX_API_KEY || random(),
		authToken: environment.SANDBOX_AUTH_TOKEN || random(),
		username: environment.SANDBOX_USERNAME || `user-${random()}`,
		password: environment.SANDBOX_PASSWORD || random(),
	};
}

export const xTokenFrom = (environment: Environment): string =>
	environment.SANDBOX_X_TOKEN || random();
