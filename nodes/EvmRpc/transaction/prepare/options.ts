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
		description: 'Whether the receiver may be the zero address. What is sent there is lost.',
	},
	{
		displayName: 'Expect Chain ID',
		name: 'expectChainId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 1',
		description: 'Prepare only if the chain node has this chain ID',
		// The parser refuses an empty value: an expression that gives nothing must not switch the check of the chain ID
		// off.
		parse: (given: unknown) => {
			const id = parseUint256(given);
			return id > 0n ? id : raise(new InvalidValue('1 or more'));
		},
	},
	{
		...expectDecimals,
		description: 'Prepare only if the token has this number of decimals',
	},
	{
		displayName: 'Gas',
		name: 'gas',
		type: 'string',
		default: '',
		placeholder: 'e.g. 100000',
		description:
			'The most gas to use (gas limit). If set, gas is not estimated, and a failure is not found in advance.',
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
			'The price per gas, in wei or with the unit gwei. The transaction then has the old type (before EIP-1559).',
	},
	{
		...feeField,
		displayName: 'Max Fee Per Gas',
		name: 'maxFeePerGas',
		description: 'The highest price per gas, in wei or with the unit gwei',
	},
	{
		...feeField,
		displayName: 'Max Priority Fee Per Gas',
		name: 'maxPriorityFeePerGas',
		description: 'The tip per gas, in wei or with the unit gwei',
	},
	editorGateway,
	{
		displayName: 'Nonce',
		name: 'nonce',
		type: 'string',
		default: '',
		placeholder: 'e.g. 7',
		description:
			'The number of the transaction in its account, counting from 0. By default, the next number.',
		parse: optionalParser(uint64Parser(MAX_NONCE)),
	},
	{
		displayName: 'Simulate',
		name: 'simulate',
		type: 'boolean',
		default: false,
		description:
			'Whether to simulate the transaction; the fields summary and changes then show gains and losses',
	},
]);
