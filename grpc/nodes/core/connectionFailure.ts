interface ConnectionFailure {
	readonly message: string;
	readonly advice?: string;
	readonly maybeExecuted?: boolean;
	/** Whether the failure means that there were too many calls. */
	readonly isLimit?: boolean;
}

export const CHECK_TOKEN = 'Check the X-Token in the credential.';
const CHECK_ENDPOINT = 'Check the Endpoint in the credential, and that the service is up.';
const CHECK_CONNECTION =
	'Check Endpoint and Use TLS in the credential, and that the service is up.';

/** The reasons why a connection could not be made. Nothing was sent in these cases. */
const NOT_CONNECTED_FAILURES: ReadonlyArray<readonly [RegExp, ConnectionFailure]> = [
	[/ECONNREFUSED/, { message: 'The endpoint refused the connection', advice: CHECK_ENDPOINT }],
	[
		/Name resolution failed|Failed to parse DNS|ENOTFOUND|EAI_AGAIN/,
		{ message: 'The host of the endpoint was not found', advice: CHECK_ENDPOINT },
	],
	[
		/certificate|altnames|CERT_/i,
		{
			message: 'The endpoint could not prove its identity (TLS)',
			advice:
				"Check the Endpoint in the credential. If the certificate is your own, add it to the file that n8n's environment variable ROOTS names.",
		},
	],
	[
		/wrong version number|EPROTO|SSL routines|before secure TLS/,
		{
			message: 'The endpoint does not speak TLS',
			advice: 'Check the port of the Endpoint in the credential.',
		},
	],
	[
		/./,
		{
			message: 'The endpoint cannot be reached',
			advice: CHECK_CONNECTION,
		},
	],
];

/** Messages of grpc-js about calls that ended without an answer. */
const DISCONNECTED_FAILURES: ReadonlyArray<readonly [RegExp, ConnectionFailure]> = [
	[
		/^Deadline exceeded after .*[Ww]aiting for (LB pick|name resolution|metadata filters)/,
		{
			message: 'The endpoint could not be reached in time',
			advice: CHECK_CONNECTION,
		},
	],
	[
		/^Deadline exceeded/,
		{
			message: 'The service did not answer in time',
			maybeExecuted: true,
		},
	],
	[
		// A server that sends text, such as HTML, causes this message: grpc-js reads the text as the length of a message.
		/^Received message larger than max \(((5[4-9]|[6-9]\d)\d{7}|\d{10}) vs 67108864\)$/,
		{
			message: 'The endpoint does not speak gRPC',
			advice: 'Check the Endpoint in the credential.',
			maybeExecuted: true,
		},
	],
	[
		/^(Received message larger than max \(\d+ vs 67108864\)|Received message that decompresses)/,
		{ message: 'The answer is larger than 64 MB', advice: 'Ask for less.', maybeExecuted: true },
	],
	[
		/^(Connection dropped|(read|write) E[A-Z]+|Received RST_STREAM|Write (failed with )?error|No status information received|Call cancelled)/,
		{
			message: 'The connection to the service was lost before it answered',
			maybeExecuted: true,
		},
	],
	[
		/^Stream refused by server$/,
		{
			message: 'The service turned the call away',
			advice: 'It was not carried out: send it again.',
		},
	],
];

/** HTTP status codes that a proxy returns instead of the service. */
const PROXY_STATUSES: Readonly<Record<string, ConnectionFailure>> = {
	401: { message: 'The token was refused before the service was reached', advice: CHECK_TOKEN },
	403: { message: 'The call was forbidden before the service was reached', advice: CHECK_TOKEN },
	404: { message: 'The endpoint does not serve gRPC', advice: CHECK_ENDPOINT },
	429: {
		message: 'The service accepts no more calls at the moment',
		advice: 'Send fewer items, or send them later.',
		isLimit: true,
	},
	503: {
		message: 'The service is not available at the moment',
		advice: 'Try again later.',
		maybeExecuted: true,
	},
};

const OTHER_PROXY_STATUS: ConnectionFailure = {
	message: 'The endpoint answered with an HTTP status, not over gRPC',
	advice: CHECK_ENDPOINT,
	maybeExecuted: true,
};

/** Explains a status that grpc-js itself created. The explanation does not contain the addresses of the original message. */
export function findConnectionFailure(
	message: string,
	rootsVariable = '',
): ConnectionFailure | undefined {
	const [, status] = /^Received HTTP status code (\d+)$/.exec(message) ?? [];
	if (status !== undefined) return getProxyFailure(status);
	const isUnconnected =
		/^(No connection established|Name resolution failed|Failed to parse DNS)/.test(message);
	const failures = isUnconnected ? NOT_CONNECTED_FAILURES : DISCONNECTED_FAILURES;
	const [, failure] = failures.find(([pattern]) => pattern.test(message)) ?? [];
	if (!failure?.advice) return failure;
	return { ...failure, advice: failure.advice.replace('ROOTS', rootsVariable) };
}

function getProxyFailure(status: string): ConnectionFailure {
	const { message, ...others } = PROXY_STATUSES[status] ?? OTHER_PROXY_STATUS;
	return { ...others, message: `${message} (HTTP ${status})` };
}
