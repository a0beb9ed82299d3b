import {
	maxCallsPerSecond,
	maxRetries,
	maxWait,
	optionsField,
	timeoutField,
	type Field,
} from '../../../nodes/core';

/** The choices for which Authentication is hidden, because they have no remote signer. */
const OTHER_CREDENTIALS = {
	resource: ['starkTransaction', 'tonTransfer'],
	kind: ['deposits', 'stark', 'ton'],
};

/** Chooses the credential. */
export const authentication = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	default: 'key',
	noDataExpression: true,
	options: [
		{ name: 'Key', value: 'key', description: 'The private key is in the credential' },
		{
			name: 'Remote Signer',
			value: 'remote',
			description: 'The key stays with a signer such as Web3Signer',
		},
	],
	hide: OTHER_CREDENTIALS,
} as const satisfies Field;

/** Chooses the kind of addresses that Get returns, and with it the credential. */
export const accountKind = {
	displayName: 'Kind',
	name: 'kind',
	type: 'options',
	default: 'evm',
	noDataExpression: true,
	description: 'Which chains the account is on',
	options: [
		{
			name: 'Deposits',
			value: 'deposits',
			description:
				'The addresses that take deposits. Chain Pay sends the deposits on to one destination.',
		},
		{
			name: 'EVM',
			value: 'evm',
			description: 'The account that the credential signs for on EVM chains and TRON',
		},
		{
			name: 'STARK',
			value: 'stark',
			description: 'The account that the credential signs for on a STARK rollup such as Starknet',
		},
		{
			name: 'TON',
			value: 'ton',
			description: 'The TON wallets that belong to the key in the credential',
		},
	],
} as const satisfies Field;

/** The families of chains for which a key signs prepared transactions. */
export type KeyKind = Exclude<(typeof accountKind)['options'][number]['value'], 'deposits'>;

/** Applies only to a remote signer, because signing with a key takes no time. Payments over HTTP have their own options. */
export const remoteOptions = {
	...optionsField([
		maxCallsPerSecond,
		maxRetries,
		maxWait,
		timeoutField(30_000, 'How many milliseconds to wait for an answer of a remote signer'),
	] as const),
	show: { authentication: ['remote'] },
	hide: { ...OTHER_CREDENTIALS, resource: [...OTHER_CREDENTIALS.resource, 'httpPayment'] },
} as const satisfies Field;
