import { LOOPBACK_HOST } from '../../credentials/endpoint';
import { InvalidInput } from '../core/errors/invalidInput';
import { eventFields } from '../core/operation/panel';
import type { Field } from '../core/operation/field';
import { authentication } from '../core/operation/sharedFields';
import { optionsField } from '../core/operation/transportOptions';
import { parseText, type Parse } from '../core/values/parse';
import { events } from './events';

/** What was given is not shown when it is refused: a token may have been typed in. */
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
		'Where the WebSocket of the chain is, if not at /ws below the Node URL of the credential. The token of the credential takes the place of &lt;TOKEN&gt;.',
	parse: parseSocketUrl,
} as const satisfies Field;

export const options = optionsField([webSocketUrl] as const);

export const [event, ...ownFields] = eventFields(events, 'newBlock');

export const fields = [authentication, event, ...ownFields, options];
