import { hexString } from '../core/evm/chainObject';
import type { Field } from '../core/operation/field';
import { path } from '../core/operation/sharedFields';
import { rpc } from '../core/protocols/rpc';
import { rpcOptions } from '../core/protocols/transportOptions';
import { bytes, evmAddress } from '../core/values/hex';
import { optional, quantity } from '../core/values/quantity';
import { stateBlock } from './fields';

const to = {
	displayName: 'To',
	name: 'to',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The contract, or the account of a simulated transfer',
	read: evmAddress,
} as const satisfies Field;

const data = {
	displayName: 'Data',
	name: 'data',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0x18160ddd',
	description:
		'The method selector and the encoded arguments as 0x-hex; empty for a plain transfer',
	read: optional(bytes),
} as const satisfies Field;

const callOptions = {
	displayName: 'Call Options',
	name: 'callOptions',
	type: 'collection',
	placeholder: 'Add call option',
	default: {},
	options: [
		{
			displayName: 'From',
			name: 'from',
			type: 'string',
			default: '',
			placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
			description: 'The account that the call comes from',
			read: optional(evmAddress),
		},
		{
			displayName: 'Gas',
			name: 'gas',
			type: 'string',
			default: '',
			placeholder: 'e.g. 100000',
			description: 'The most gas that the call may use, decimal or 0x-hex',
			read: optional(quantity),
		},
		{
			displayName: 'Gas Price',
			name: 'gasPrice',
			type: 'string',
			default: '',
			placeholder: 'e.g. 1000000000',
			description: 'Wei for each unit of gas, decimal or 0x-hex',
			read: optional(quantity),
		},
		{
			displayName: 'Value',
			name: 'value',
			type: 'string',
			default: '',
			placeholder: 'e.g. 1000000000000000000',
			description: 'Wei sent along, decimal or 0x-hex. The sender needs this much, and gas.',
			read: optional(quantity),
		},
	],
} as const satisfies Field;

const call = rpc({
	name: 'Call',
	action: 'Call a contract',
	description: 'Read from a contract or simulate a transaction. Nothing is written to the chain.',
	fields: [to, data, stateBlock, callOptions, path('/'), rpcOptions()],
	// The node's real key is gasPrice; the document's gasprice is ignored by some nodes.
	request: (p) => ({
		path: p.path,
		method: 'eth_call',
		params: [{ ...p.callOptions, to: p.to, data: p.data }, p.block],
	}),
	answer: hexString('return data as 0x-hex'),
});

export const contract = { name: 'Contract', operations: { call } };
