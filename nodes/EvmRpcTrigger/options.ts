import { LOOPBACK_HOST } from '../../credentials/endpoint';
import { InvalidInput } from '../core/errors/invalidInput';
import type { Field } from '../core/operation/field';
import { createParameterParser, type ParameterSource } from '../core/operation/parameters';
import { optionsField } from '../core/operation/transportOptions';
import { parseText, type Parse } from '../core/values/parse';
import { minAmountExcept } from '../fields/minAmount';

/** The error does not repeat the given URL, because the URL may contain a secret token. */
const parseSocketUrl: Parse<string> = (given) => {
	const value = parseText(given);
	if (value === '' || isSocketUrl(value)) return value;
	throw new InvalidInput(
		"'WebSocket URL' must be a full address that begins with wss:// (plain ws:// is for this computer only)",
	);
};

function isSocketUrl(value: string): boolean {
	if (!/^wss?:\/\/[^#\s]+$/i.test(value) || !URL.canParse(value)) return false;
	const { protocol, hostname, username, password } = new URL(value);
	return (protocol === 'wss:' || LOOPBACK_HOST.test(hostname)) && username + password === '';
}

const webSocketUrl = {
	displayName: 'WebSocket URL',
	name: 'webSocketUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. wss://node.example.com/<TOKEN>/evm',
	description:
		'The full address of the WebSocket, if it is not the Node Address of the credential followed by /ws. Write &lt;TOKEN&gt; where the token of the credential belongs.',
	parse: parseSocketUrl,
} as const satisfies Field;

const minAmount = minAmountExcept('log', 'newBlock', 'nftTransfer', 'pendingTransaction');

export const triggerOptions = optionsField([minAmount, webSocketUrl] as const);

/** Reads the options that the user set. */
export function parseOptions(source: ParameterSource) {
	return createParameterParser(source, [triggerOptions])(0).options;
}
