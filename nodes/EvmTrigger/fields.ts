import { LOOPBACK } from '../../credentials/address';
import type { Field } from '../core/operation/field';
import type { Read } from '../core/values/read';
import { authentication, simplify } from '../core/operation/sharedFields';
import { optionsField } from '../core/protocols/transportOptions';
import { Refusal } from '../../credentials/refusal';
import { text } from '../core/values/basic';
import { evmAddress } from '../core/values/hex';
import { listOf } from '../core/values/json';
import { topics as readTopics } from './topics';

const event = {
	displayName: 'Event',
	name: 'event',
	type: 'options',
	default: 'newBlock',
	noDataExpression: true,
	options: [
		{ name: 'Log', value: 'log', description: 'When a contract writes a log (an event)' },
		{ name: 'New Block', value: 'newBlock', description: 'When a block is added to the chain' },
		{
			name: 'Pending Transaction',
			value: 'pendingTransaction',
			description: 'When a transaction begins to wait for a block. Few nodes tell all of them.',
		},
	],
} as const satisfies Field;

const addresses = {
	displayName: 'Addresses',
	name: 'addresses',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description:
		'Only logs of these contracts: comma-separated, or an array. Empty for the logs of all contracts.',
	show: { event: ['log'] },
	read: listOf(evmAddress),
} as const satisfies Field;

const topics = {
	displayName: 'Topics',
	name: 'topics',
	type: 'string',
	default: '',
	placeholder: 'e.g. Transfer(address,address,uint256)',
	description:
		'Only logs with these topics, place by place: comma-separated, or an array. Each is a hash, an address, the signature of an event, or empty for any; in an array also a list of alternatives.',
	show: { event: ['log'] },
	read: readTopics,
} as const satisfies Field;

/** What was given is not shown when it is refused: a token may have been typed in. */
const socketUrl: Read<string> = (given) => {
	const value = text(given);
	if (value === '' || isSocketUrl(value)) return value;
	throw new Refusal(
		"'WebSocket URL' must be a full address that begins with wss:// (plain ws:// is for this computer only)",
	);
};

function isSocketUrl(value: string): boolean {
	if (!/^wss?:\/\/[^#\s]+$/i.test(value) || !URL.canParse(value)) return false;
	const { protocol, hostname, username, password } = new URL(value);
	return (protocol === 'wss:' || LOOPBACK.test(hostname)) && username + password === '';
}

const webSocketUrl = {
	displayName: 'WebSocket URL',
	name: 'webSocketUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. wss://node.example.com/<TOKEN>/evm',
	description:
		'Where the WebSocket of the chain is, if not at /ws below the Node URL of the credential. The token of the credential takes the place of &lt;TOKEN&gt;.',
	read: socketUrl,
} as const satisfies Field;

const simplifyChainObjects = {
	...simplify,
	show: { event: ['newBlock', 'log'] },
} as const satisfies Field;

export const fields = [
	authentication,
	event,
	addresses,
	topics,
	simplifyChainObjects,
	optionsField([webSocketUrl] as const),
] as const;
