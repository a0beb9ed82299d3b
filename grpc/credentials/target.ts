import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { parseSecret, InvalidInput, LOOPBACK_HOST } from '../../nodes/core';
import type { Target } from '../library/connection/channel.mts';

const HOST_AND_PORT_PATTERN =
	/^(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?)(?::(\d{1,5}))?$/i;
const DEFAULT_PORT = '443';

/** Parses the host, the port, TLS and the token from a credential. */
export function parseTarget({ endpoint, xToken, tls }: ICredentialDataDecryptedObject): Target {
	const [, host = '', port = DEFAULT_PORT] =
		HOST_AND_PORT_PATTERN.exec(String(endpoint ?? '').trim()) ?? [];
	if (!host || Number(port) < 1 || Number(port) > 65_535) {
		throw invalidInputError(
			"'Endpoint' of the credential must be host:port such as node.example.com:443",
			'It has no https:// before it and no path after it.',
		);
	}
	const isLoopback = LOOPBACK_HOST.test(host.toLowerCase());
	const isSecure = String(tls) !== 'false';
	if (!isSecure && !isLoopback) {
		throw invalidInputError(
			"'Use TLS' of the credential must be on, unless the endpoint is on this computer",
			'Without TLS, the token could be read on its way. This computer is localhost, 127.0.0.1 or [::1].',
		);
	}
	const token = parseSecret(xToken, 'X-Token');
	return { address: `${host}:${port}`, isLoopback, tls: isSecure, token };
}

function invalidInputError(message: string, description: string): InvalidInput {
	return new InvalidInput(message, description);
}
