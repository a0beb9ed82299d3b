import { addHints } from '../../core/operation/operation';
import { choiceFields } from '../../core/operation/panel';
import { optionsField } from '../../core/operation/transportOptions';
import { rpcOperation } from '../../core/protocols/rpc/operation';
import { DEFAULT_BUFFER_PERCENT } from '../../core/stark/invoke';
import { findTestChainHint, prepareTransaction } from '../../core/stark/prepare/prepare';
import { reserveNonce } from '../../core/stark/prepare/purse';
import { optionalParser, uint64Parser } from '../../core/values/numbers';
import { wholeNumberParser } from '../../core/values/parse';
import { methodPrefix } from '../../core/operation/methodPrefix';
import { accountField } from '../../fields/starkFields';
import { openNode, path } from '../fields';
import { transactionKinds, type AnyTransactionKind } from './transactionKinds';

const KIND_MENU = {
	displayName: 'Kind',
	name: 'kind',
	description: 'What the transaction does',
} as const;

const parseUint64 = uint64Parser(2n ** 64n - 1n);

const options = optionsField([
	methodPrefix,
	{
		displayName: 'Fee Buffer',
		name: 'feeBuffer',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 1000 },
		default: DEFAULT_BUFFER_PERCENT,
		description:
			'How many percent to add to the estimated amount and price of gas, since the two may rise before the transaction is in a block',
		parse: wholeNumberParser(0, 1000),
	},
	{
		displayName: 'Nonce',
		name: 'nonce',
		type: 'string',
		default: '',
		placeholder: 'e.g. 7',
		description:
			'How many transactions the account has sent before this one. If empty, the chain node gives the number, and each further item of the run adds 1.',
		parse: optionalParser(parseUint64),
	},
	{
		displayName: 'Tip',
		name: 'tip',
		type: 'string',
		default: '',
		placeholder: 'e.g. 1000000',
		description:
			'A tip for each unit of L2 gas, on top of its price, in FRI (10^-18 STRK). Empty for none.',
		parse: optionalParser(parseUint64),
	},
]);

const fields = [
	accountField('From', 'from', 'The account that will sign and pay'),
	...choiceFields(KIND_MENU, transactionKinds, 'tokenTransfer'),
	path,
	options,
] as const;

export const prepare = rpcOperation({
	name: 'Prepare',
	action: 'Prepare transaction to pay or call',
	description:
		'Prepare a transaction for signing, and see its cost. Its fees and its nonce are filled in. Nothing is written to the chain.',
	fields,
	reserve: (p, chain) => reserveNonce(openNode(chain, p), p.from, p.options.nonce),
	async *run(p, chain, place) {
		const reader = openNode(chain, p);
		const kind: AnyTransactionKind = transactionKinds[p.kind];
		const { tip, feeBuffer } = p.options;
		const prepared = await prepareTransaction(reader, place, {
			from: p.from,
			tip,
			feeBuffer,
			plan: async (block) => await kind.plan(p, reader, block),
		});
		addHints(chain, [findTestChainHint(BigInt(prepared.transaction.chainId))]);
		yield prepared;
	},
});
