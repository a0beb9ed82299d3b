import { expectDecimals } from '../../../core/operation/sharedFields';
import { optionsField } from '../../../core/operation/transportOptions';
import { DEFAULT_BUFFER_PERCENT } from '../../../core/evm/prepare/prepare';
import { MAX_GAS, MAX_NONCE } from '../../../core/evm/transactions/unsigned';
import { optionalParser, parseUint256, uint64Parser } from '../../../core/values/numbers';
import { parseWei } from '../../../core/values/units';
import { wholeNumberParser, InvalidValue } from '../../../core/values/parse';
import { raise } from '../../../core/errors/raise';
import { editorGateway } from '../../contract/fields';

const feeField = {
	type: 'string',
	default: '',
	placeholder: 'e.g. 20 gwei',
	parse: optionalParser(parseWei),
} as const;

const parseGas = uint64Parser(MAX_GAS);

export const prepareOptions = optionsField([
	{
		displayName: 'Allow Zero Address',
		name: 'allowZeroAddress',
		type: 'boolean',
		default: false,
		description:
			'Whether the receiver may be the zero address. Nothing sent there can be recovered.',
	},
	{
		displayName: 'Expect Chain ID',
		name: 'expectChainId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 1',
		description: 'The chain ID that the chain node must have. Otherwise nothing is prepared.',
		// The parser refuses an empty value: an expression that gives nothing must not switch the check of the chain ID
		// off.
		parse: (given: unknown) => {
			const id = parseUint256(given);
			return id > 0n ? id : raise(new InvalidValue('1 or more'));
		},
	},
	{
		...expectDecimals,
		description: 'The number of decimals that the token must have. Otherwise nothing is prepared.',
	},
	{
		displayName: 'Gas',
		name: 'gas',
		type: 'string',
		default: '',
		placeholder: 'e.g. 100000',
		description:
			'The most gas that the transaction may use (gas limit). If set, gas is not estimated, and a failure is not found in advance.',
		parse: optionalParser((given) => {
			const gas = parseGas(given);
			return gas > 0n ? gas : raise(new InvalidValue('1 or more'));
		}),
	},
	{
		displayName: 'Gas Buffer',
		name: 'gasBuffer',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 1000 },
		default: DEFAULT_BUFFER_PERCENT,
		description: 'By how many percent the gas limit exceeds the estimate',
		parse: wholeNumberParser(0, 1000),
	},
	{
		...feeField,
		displayName: 'Gas Price',
		name: 'gasPrice',
		description:
			'The price of a unit of gas, in wei or with a unit. The transaction then has the old type (before EIP-1559).',
	},
	{
		...feeField,
		displayName: 'Max Fee Per Gas',
		name: 'maxFeePerGas',
		description: 'The highest price of a unit of gas, in wei or with a unit',
	},
	{
		...feeField,
		displayName: 'Max Priority Fee Per Gas',
		name: 'maxPriorityFeePerGas',
		description: 'The tip for a unit of gas, in wei or with a unit',
	},
	editorGateway,
	{
		displayName: 'Nonce',
		name: 'nonce',
		type: 'string',
		default: '',
		placeholder: 'e.g. 7',
		description:
			'The number of the transaction in its account, counting from 0. If empty, the chain node is asked for it.',
		parse: optionalParser(uint64Parser(MAX_NONCE)),
	},
	{
		displayName: 'Simulate',
		name: 'simulate',
		type: 'boolean',
		default: false,
		description:
			'Whether to simulate the transaction; the output fields summary and changes show what accounts gain or lose',
	},
]);
