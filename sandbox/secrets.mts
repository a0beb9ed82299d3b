import { randomBytes } from 'node:crypto';

export interface Secrets {
	apiKey: string;
	authToken: string;
	username: string;
	password: string;
}

const random = () => randomBytes(16).toString('hex');

/** The secrets of one sandbox: random, unless the environment names them. */
export function secretsFrom(environment: Record<string, string | undefined>): Secrets {
	return {
		apiKey: environment.SANDBOX_API_KEY || random(),
		authToken: environment.SANDBOX_AUTH_TOKEN || random(),
		username: environment.SANDBOX_USERNAME || `user-${random()}`,
		password: environment.SANDBOX_PASSWORD || random(),
	};
}
