import type { Field } from '../../core/operation/field';
import { waitFor } from '../../core/operation/sharedFields';
import { rest } from '../../core/protocols/rest';
import { parseTonHash } from '../../core/ton/answer';
import { waitForMessage } from '../../core/ton/wait';

const messageHash = {
	displayName: 'Message Hash',
	name: 'messageHash',
	type: 'string',
	required: true,
	default: '={{ $json.messageHash }}',
	placeholder: 'e.g. 7c2d4206c03a883dd9066d620335dc1be272a8dc733cfa3f6d10308faa37facc',
	description:
		'The hash of the message that was sent, as Send gives it: 64 hex digits, or 44 characters of base64',
	parse: parseTonHash,
} as const satisfies Field;

const waitForTransfer = { ...waitFor, default: 120 } as const satisfies Field;

export const wait = rest({
	name: 'Wait',
	action: 'Wait for transfer to complete',
	description:
		'Wait until a transfer and all messages that it causes are carried out, then get the outcome, even if it failed',
	waits: true,
	fields: [messageHash, waitForTransfer],
	async *run(p, context) {
		yield await waitForMessage(context, p.messageHash, p.waitFor);
	},
});
