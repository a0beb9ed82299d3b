import { InvalidInput } from '../../../core/errors/invalidInput';
import { parseEvmAddress } from '../../../core/evm/address';
import { checkFixedFees } from '../../../core/evm/prepare/fees';
import type { PlannedIntent } from '../../../core/evm/prepare/intent';
import {
	findQueueHint,
	findTestChainHint,
	prepareReplacement,
	prepareTransaction,
} from '../../../core/evm/prepare/prepare';
import { reserveNonce } from '../../../core/evm/prepare/purse';
import type { Field, Params } from '../../../core/operation/field';
import { addHints } from '../../../core/operation/operation';
import { choiceFields } from '../../../core/operation/panel';
import { pathField } from '../../../core/operation/path';
import { rpcOperation } from '../../../core/protocols/rpc/operation';
import { prepareOptions } from './options';
import type { TransactionKind } from './transactionKind';
import { transactionKinds } from './transactionKinds';

const from = {
	displayName: 'From',
	name: 'from',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
	description: 'The account that will sign and pay',
	parse: parseEvmAddress,
} as const satisfies Field;

const kindMenu = {
	displayName: 'Kind',
	name: 'kind',
	description: 'What the transaction does',
} as const;

const speed = {
	displayName: 'Speed',
	name: 'speed',
	type: 'options',
	default: 'normal',
	description: 'How high a fee to offer, compared with the last blocks',
	options: [
		{ name: 'Fast', value: 'fast' },
		{ name: 'Normal', value: 'normal' },
		{ name: 'Slow', value: 'slow' },
	],
} as const satisfies Field;

const fields = [
	from,
	...choiceFields(kindMenu, transactionKinds, 'coinTransfer'),
	speed,
	pathField('/'),
	prepareOptions,
] as const;
type PrepareInputs = Params<typeof fields>;

export const prepare = rpcOperation({
	name: 'Prepare',
	action: 'Prepare to pay, mint, deploy, speed up (stuck)',
	description:
		'Prepare a transaction for signing, and see its cost. Nothing is written to the chain.',
	fields,
	reserve(p, chain) {
		const planned = planIntent(p);
		const isReplacement = p.kind === 'replacement';
		const place = isReplacement ? undefined : reserveNonce(chain, p.from, p.options.nonce);
		return { planned, place, release: () => place?.release() };
	},
	async *run(p, chain, { planned, place }) {
		const prepared = await (place
			? prepareTransaction(chain, p, planned, place)
			: prepareReplacement(chain, p, planned));
		addHints(chain, [
			findTestChainHint(BigInt(prepared.transaction.chainId)),
			place && (await findQueueHint(p.from, place)),
		]);
		yield prepared;
	},
});

/** Determines what the transaction will do and which values must be read first, without sending a request. */
function planIntent(p: PrepareInputs): PlannedIntent {
	const { allowZeroAddress = false, expectDecimals } = p.options;
	checkFixedFees(p.options);
	const kind: TransactionKind = transactionKinds[p.kind];
	if (expectDecimals !== undefined && !kind.hasDecimals) throw noDecimalsError(kind);
	if (p.kind === 'replacement') checkReplacementOptions(p.options);
	return kind.intent(p, { from: p.from, allowZeroAddress, expectDecimals });
}

function checkReplacementOptions({ gas, nonce }: PrepareInputs['options']): void {
	checkRemoved('Nonce', nonce);
	checkRemoved('Gas', gas);
}

function checkRemoved(name: string, given: bigint | undefined): void {
	if (given === undefined) return;
	throw new InvalidInput(
		`'Options > ${name}' must be removed when 'Kind' is Replacement`,
		'A replacement keeps the nonce and the gas of the pending transaction.',
	);
}

function noDecimalsError({ name }: TransactionKind): InvalidInput {
	return new InvalidInput(
		`'Options > Expect Decimals' must be removed when 'Kind' is ${name}`,
		'Only the amount of a token transfer or approval depends on the decimals of the token.',
	);
}
