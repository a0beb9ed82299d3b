import { rpcOptions } from '../../core/operation/transportOptions';
import { MAX_GAS, MAX_NONCE } from '../../core/transactions/unsigned';
import { amountInWei, optional, wholeAmount } from '../../core/values/numbers';
import { mustBe, wholeNumber } from '../../core/values/read';

const fee = {
	type: 'string',
	default: '',
	placeholder: 'e.g. 20 gwei',
	read: optional(amountInWei),
} as const;

/** Nonces and amounts of gas have 64 bits. */
function atMost(most: bigint, given: unknown): bigint {
	const value = wholeAmount(given);
	return value <= most ? value : mustBe('a number of at most 64 bits');
}

export const DEFAULT_BUFFER = 20;

export const options = rpcOptions(
	{
		displayName: 'Allow Zero Address',
		name: 'allowZeroAddress',
		type: 'boolean',
		default: false,
		description: 'Whether the receiver may be the zero address, from which nothing comes back',
	},
	{
		displayName: 'Gas',
		name: 'gas',
		type: 'string',
		default: '',
		placeholder: 'e.g. 100000',
		description:
			'The most gas that the transaction may use. With it nothing is estimated, and so nothing is refused that would fail.',
		read: optional((given) => {
			const gas = atMost(MAX_GAS, given);
			return gas > 0n ? gas : mustBe('1 or more');
		}),
	},
	{
		displayName: 'Gas Buffer',
		name: 'gasBuffer',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 1000 },
		default: DEFAULT_BUFFER,
		description: 'How many percent are added to the estimated gas',
		read: wholeNumber(0, 1000),
	},
	{
		...fee,
		displayName: 'Gas Price',
		name: 'gasPrice',
		description:
			'The price of a unit of gas, in wei or with a unit (wei, gwei, ether). It makes a transaction of the kind before EIP-1559.',
	},
	{
		...fee,
		displayName: 'Max Fee Per Gas',
		name: 'maxFeePerGas',
		description:
			'The most that a unit of gas may cost in all, in wei or with a unit (wei, gwei, ether)',
	},
	{
		...fee,
		displayName: 'Max Priority Fee Per Gas',
		name: 'maxPriorityFeePerGas',
		description:
			'What a unit of gas pays on top of the base fee, in wei or with a unit (wei, gwei, ether)',
	},
	{
		displayName: 'Nonce',
		name: 'nonce',
		type: 'string',
		default: '',
		placeholder: 'e.g. 7',
		description:
			'How many transactions the account has sent before this one. Without it, they are counted, and the items of a run follow each other.',
		read: optional((given) => atMost(MAX_NONCE, given)),
	},
);
