import type { RpcReader } from '../../core/chain/reader';
import { RequestFailure } from '../../core/errors/requestFailure';
import type { Params } from '../../core/operation/field';
import { choiceFields } from '../../core/operation/panel';
import { rpcOptions } from '../../core/operation/transportOptions';
import { resolveBlockId, type BlockId } from '../../core/stark/blocks';
import { findFailureReason, isContractFailure } from '../../core/stark/contracts';
import { decodeShortString, encodeFelt } from '../../core/stark/felts';
import {
	buildEstimatedBounds,
	buildInvoke,
	computeHighestFee,
	FIRST_MINOR_VERSION_WITH_DATA_GAS,
	readEstimate,
	readSender,
	USUAL_BUFFER_PERCENT,
	type Sender,
} from '../../core/stark/invoke';
import { readChainId } from '../../core/stark/node';
import { FEE_DECIMALS, FEE_TOKEN, findBalance } from '../../core/stark/tokens';
import { markHandled } from '../../core/net/pacing/turns';
import { rpc } from '../../core/protocols/rpc/operation';
import { optionalParser, uint64Parser } from '../../core/values/numbers';
import { wholeNumberParser } from '../../core/values/parse';
import { formatUnits } from '../../core/values/units';
import { methodPrefix } from '../../fields/methodPrefix';
import { accountField } from '../../fields/starkFields';
import { openNode, path } from '../fields';
import { reserveNonce } from './nonces';
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

type PrepareInputs = Params<typeof fields>;

export const prepare = rpc({
	name: 'Prepare',
	action: 'Prepare a transaction to pay or call',
	description:
		'Make a transaction ready to be signed, with its fees and nonce, and see what it will cost. Nothing is written to the chain.',
	fields,
	// A plain function cannot wait as a generator can, so the items reserve their nonces in their own order.
	run(p, chain) {
		const node = openNode(chain, p);
		const reading = readState(node, p.from);
		markHandled(reading);
		const { nonce: fixed } = p.options;
		const nonceReading = reading.then(({ sender }) => sender.nonce);
		markHandled(nonceReading);
		const place = reserveNonce(chain, { from: p.from, path: p.path, fixed, reading: nonceReading });
		return prepareTransaction(p, node, reading, place);
	},
});

/** The node's answers before anything is planned. */
interface State {
	readonly block: BlockId;
	readonly sender: Sender;
	readonly chainId: bigint;
	/** The account's balance in the token of the fees; null where the chain has another one. */
	readonly balance: bigint | null;
}

/** All is read at the block being made, where what was just sent counts. */
async function readState(node: RpcReader, from: bigint): Promise<State> {
	const block = await resolveBlockId(node, 'pending');
	const [sender, chainId, balance] = await Promise.all([
		readSender(node, from, block),
		readChainId(node),
		findBalance(node, FEE_TOKEN, from, block),
	]);
	if (sender.minorVersion < FIRST_MINOR_VERSION_WITH_DATA_GAS) throwOldVersion(sender);
	return { block, sender, chainId, balance };
}

function throwOldVersion({ minorVersion }: Sender): never {
	throw new RequestFailure(`The node has the version 0.${minorVersion} of its API`, {
		description:
			'Transactions are prepared from version 0.8 on, which names the three resources that a transaction pays for. Ask a newer node.',
	});
}

async function* prepareTransaction(
	p: PrepareInputs,
	node: RpcReader,
	reading: Promise<State>,
	place: ReturnType<typeof reserveNonce>,
) {
	const { tip = 0n, feeBuffer } = p.options;
	const kind: AnyTransactionKind = transactionKinds[p.kind];
	try {
		const { block, sender, chainId, balance } = await reading;
		const intent = await kind.plan(p, node, block);
		const { calls, paid } = intent;
		const draft = buildInvoke(sender, { calls, nonce: sender.nonce, tip });
		const estimate = await readEstimateOrThrow(node, draft, block);
		const bounds = buildEstimatedBounds(sender.minorVersion, estimate, feeBuffer);
		const fee = computeHighestFee(bounds, tip);
		const nonce = await place.use({ from: p.from, cost: fee + paid, balance });
		const transaction = buildInvoke(sender, { calls, nonce, tip, bounds });
		yield {
			transaction: { ...transaction, chainId: encodeFelt(chainId) },
			maxCost: formatUnits(fee, FEE_DECIMALS),
			calls: intent.says,
			summary: formatSummary(intent, { fee, chainId, nonce }),
		};
	} finally {
		place.release();
	}
}

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
