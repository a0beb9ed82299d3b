import type { RpcReader } from '../../core/chain/reader';
import { RequestFailure } from '../../core/errors/requestFailure';
import { choiceFields } from '../../core/operation/panel';
import { rpcOptions } from '../../core/operation/transportOptions';
import type { BlockId } from '../../core/stark/blocks';
import { findFailureReason, isContractFailure } from '../../core/stark/contracts';
import { decodeShortString, encodeFelt } from '../../core/stark/felts';
import {
	buildEstimatedBounds,
	buildInvoke,
	computeHighestFee,
	readEstimate,
	USUAL_BUFFER_PERCENT,
} from '../../core/stark/invoke';
import { reserveNonce, takeNonce } from '../../core/stark/purse';
import { FEE_DECIMALS } from '../../core/stark/tokens';
import { rpc } from '../../core/protocols/rpc/operation';
import { optionalParser, uint64Parser } from '../../core/values/numbers';
import { wholeNumberParser } from '../../core/values/parse';
import { formatUnits } from '../../core/values/units';
import { methodPrefix } from '../../fields/methodPrefix';
import { accountField } from '../../fields/starkFields';
import { openNode, path } from '../fields';
import { transactionKinds, type AnyTransactionKind, type Intent } from './transactionKinds';

const KIND_MENU = {
	displayName: 'Kind',
	name: 'kind',
	description: 'What the transaction does',
} as const;

const parseUint64 = uint64Parser(2n ** 64n - 1n);

const options = rpcOptions(
	methodPrefix,
	{
		displayName: 'Fee Buffer',
		name: 'feeBuffer',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 1000 },
		default: USUAL_BUFFER_PERCENT,
		description:
			'How many percent are added to the amounts and prices of the estimate, for they rise until the transaction is carried out',
		parse: wholeNumberParser(0, 1000),
	},
	{
		displayName: 'Nonce',
		name: 'nonce',
		type: 'string',
		default: '',
		placeholder: 'e.g. 7',
		description:
			'How many transactions the account has sent before this one. Without it, it is read, and the items of a run follow each other.',
		parse: optionalParser(parseUint64),
	},
	{
		displayName: 'Tip',
		name: 'tip',
		type: 'string',
		default: '',
		placeholder: 'e.g. 1000000',
		description: 'What a unit of L2 gas pays on top of its price, in FRI (10^-18 STRK)',
		parse: optionalParser(parseUint64),
	},
);

const fields = [
	accountField('From', 'from', 'The account that will sign and pay'),
	...choiceFields(KIND_MENU, transactionKinds, 'tokenTransfer'),
	path,
	options,
] as const;

export const prepare = rpc({
	name: 'Prepare',
	action: 'Prepare a transaction to pay or call',
	description:
		'Make a transaction ready to be signed, with its fees and nonce, and see what it will cost. Nothing is written to the chain.',
	fields,
	reserve: (p, chain) => reserveNonce(openNode(chain, p), p.from, p.options.nonce),
	async *run(p, chain, place) {
		const node = openNode(chain, p);
		const { tip = 0n, feeBuffer } = p.options;
		const kind: AnyTransactionKind = transactionKinds[p.kind];
		const { block, sender, chainId } = await place.account;
		const intent = await kind.plan(p, node, block);
		const { calls, paid } = intent;
		const draft = buildInvoke(sender, { calls, nonce: sender.nonce, tip });
		const estimate = await readEstimateOrThrow(node, draft, block);
		const bounds = buildEstimatedBounds(sender.minorVersion, estimate, feeBuffer);
		const fee = computeHighestFee(bounds, tip);
		const nonce = await takeNonce(place, p.from, fee + paid);
		const transaction = buildInvoke(sender, { calls, nonce, tip, bounds });
		yield {
			transaction: { ...transaction, chainId: encodeFelt(chainId) },
			maxCost: formatUnits(fee, FEE_DECIMALS),
			calls: intent.says,
			summary: formatSummary(intent, { fee, chainId, nonce }),
		};
	},
});

/** A transaction that would revert is refused with its reason. */
async function readEstimateOrThrow(
	node: RpcReader,
	draft: object,
	block: BlockId,
): Promise<unknown> {
	return await readEstimate(node, { ...draft, signature: [] }, block).catch((failure) => {
		throw isContractFailure(failure) ? revertError(failure) : failure;
	});
}

function revertError(failure: RequestFailure): RequestFailure {
	const reason = findFailureReason(failure) ?? failure.message;
	return new RequestFailure(`The transaction would revert: ${reason}`, {
		...failure,
		description: 'Nothing was prepared. It was tried on the block that is being made.',
	});
}

interface Terms {
	readonly fee: bigint;
	readonly chainId: bigint;
	readonly nonce: bigint;
}

/** What the transaction does, in one sentence for whoever is to approve it. */
function formatSummary({ says }: Intent, { fee, chainId, nonce }: Terms): string {
	const chain = decodeShortString(chainId) ?? encodeFelt(chainId);
	const cost = formatUnits(fee, FEE_DECIMALS);
	return `${says.join('; ')} for a fee of at most ${cost} STRK on chain ${chain}, nonce ${nonce}.`;
}
