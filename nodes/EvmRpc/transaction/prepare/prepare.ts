import { InvalidInput } from '../../../core/errors/invalidInput';
import { quantityParser } from '../../../core/evm/objects';
import {
	reserveFixedNonce,
	reserveNonce,
	takeNonce,
	type NoncePlace,
} from '../../../core/evm/purse';
import { RequestFailure } from '../../../core/errors/requestFailure';
import type { Field, Params } from '../../../core/operation/field';
import { choiceFields } from '../../../core/operation/panel';
import { pathField } from '../../../core/operation/path';
import { throwInvalidResponse } from '../../../core/net/responses/response';
import { markHandled } from '../../../core/net/pacing/turns';
import { rpc, type Chain } from '../../../core/protocols/rpc/operation';
import { getCreateAddress } from '../../../core/evm/transactions/contractAddress';
import {
	computeMaxFee,
	serializeTransaction,
	formatTransactionRequest,
	type UnsignedTransaction,
} from '../../../core/evm/transactions/unsigned';
import { parseEvmAddress } from '../../../core/evm/address';
import { keccak256 } from '../../../core/values/keccak';
import { ETHER_DECIMALS, formatUnits } from '../../../core/values/units';
import { checkFixedFees, chooseGasPrice, chooseRaisedPrice } from './fees';
import { chooseGas, readBalance } from './gas';
import type { Intent, PlannedIntent, TransactionKind } from './transactionKind';
import { transactionKinds } from './transactionKinds';
import { DEFAULT_BUFFER_PERCENT, options } from './options';
import { formatSummary, type Prepared } from './summary';

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
	description: 'How much to pay for being included soon, by what the last blocks paid',
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
	options,
] as const;
type PrepareInputs = Params<typeof fields>;

export const prepare = rpc({
	name: 'Prepare',
	action: 'Prepare to pay, mint, deploy, speed up (stuck)',
	description:
		'Make a transaction ready to be signed, with its fees, gas and nonce, and see what it will cost. Nothing is written to the chain.',
	fields,
	reserve(p, chain) {
		const planned = planIntent(p);
		// A replacement has the nonce of the transaction that waits, and so takes no place among the items.
		const isReplacement = p.kind === 'replacement';
		const place = isReplacement ? undefined : reserveNonce(chain, p.from, p.options.nonce);
		return { planned, place, release: () => place?.release() };
	},
	async *run(p, chain, { planned, place }) {
		yield await (place
			? prepareTransaction(chain, p, planned, place)
			: prepareReplacement(chain, p, planned));
	},
});

/** What the transaction will do, and what has to be read before that can be said. Nothing is asked yet. */
function planIntent(p: PrepareInputs): PlannedIntent {
	const { allowZeroAddress = false, expectDecimals } = p.options;
	checkFixedFees(p.options);
	const kind: TransactionKind = transactionKinds[p.kind];
	if (expectDecimals !== undefined && !kind.hasDecimals) return throwNoDecimals(kind);
	if (p.kind === 'replacement') checkReplacementOptions(p.options);
	return kind.intent(p, { from: p.from, allowZeroAddress, expectDecimals });
}

/** Reads all that the transaction needs, side by side. */
async function prepareTransaction(
	chain: Chain,
	{ from, speed, options }: PrepareInputs,
	planned: PlannedIntent,
	place: NoncePlace,
) {
	const { gas: fixedGas, gasBuffer = DEFAULT_BUFFER_PERCENT, expectChainId } = options;
	const reading = readIntent(chain, planned);
	const buying = reading.then(
		async (intent) => await chooseGas(chain, from, intent, { gas: fixedGas, gasBuffer }),
	);
	const work = Promise.all([reading, chooseGasPrice(chain, speed, options), buying]);
	markHandled(work);
	// The chain comes first: on another one, whatever else went wrong says nothing.
	const chainId = await readChainId(chain, expectChainId);
	const [{ says, to, value, data }, price, { gas, balance }] = await work;
	const fee = computeMaxFee({ gas, price });
	const { nonce, waiting } = await takeNonce(place, { from, cost: value + fee, balance });
	const transaction = { chainId, from, to, nonce, gas, value, data, price };
	return formatPrepared(transaction, { says, fee, waiting });
}

async function readIntent(chain: Chain, planned: PlannedIntent): Promise<Intent> {
	return typeof planned === 'function' ? await planned(chain) : planned;
}

async function prepareReplacement(
	chain: Chain,
	{ from, speed, options }: PrepareInputs,
	planned: PlannedIntent,
) {
	const reading = readIntent(chain, planned);
	const work = Promise.all([reading, readBalance(chain, from)]);
	markHandled(work);
	const chainId = await readChainId(chain, options.expectChainId);
	const [{ replaces, ...intent }, balance] = await work;
	if (replaces?.chainId !== chainId) return throwOtherSignedChain(chainId);
	const { nonce, accessList } = replaces;
	const { gasBuffer = DEFAULT_BUFFER_PERCENT } = options;
	const [price, { gas }] = await Promise.all([
		chooseRaisedPrice(chain, speed, options, replaces.price),
		chooseGas(chain, from, intent, { gas: replaces.gas, gasBuffer }),
	]);
	const { says, to, value, data } = intent;
	const fee = computeMaxFee({ gas, price });
	const place = reserveFixedNonce(nonce);
	const { waiting } = await takeNonce(place, { from, cost: value + fee, balance });
	const transaction = { chainId, from, to, nonce, gas, value, data, price, accessList };
	return formatPrepared(transaction, { says, fee, waiting });
}

function throwOtherSignedChain(id: bigint): never {
	throw new RequestFailure(`The transaction is not for chain ${id}, to which the node belongs`, {
		description: 'Its replacement is signed for the chain that it was signed for itself.',
	});
}

function checkReplacementOptions({ gas, nonce }: PrepareInputs['options']): void {
	checkRemoved('Nonce', nonce);
	checkRemoved('Gas', gas);
}

function checkRemoved(name: string, given: bigint | undefined): void {
	if (given === undefined) return;
	throw new InvalidInput(
		`'Options > ${name}' must be removed where 'Kind' is Replacement`,
		'A replacement keeps the nonce of the transaction that waits, and its gas.',
	);
}

function throwNoDecimals({ name }: TransactionKind): never {
	throw new InvalidInput(
		`'Options > Expect Decimals' must be removed where 'Kind' is ${name}`,
		'Only the amount of a token transfer or of a token approval depends on decimals that a token tells.',
	);
}

async function readChainId(chain: Chain, expected: bigint | undefined): Promise<bigint> {
	const answer = await chain.call('eth_chainId', []);
	const id = quantityParser('a chain ID')(answer);
	if (id === 0n) return throwInvalidResponse('a chain ID', answer);
	return expected === undefined || id === expected ? id : throwOtherChain(id, expected);
}

function throwOtherChain(id: bigint, expected: bigint): never {
	throw new RequestFailure(
		`The node says that it belongs to chain ${id}, where chain ${expected} is expected`,
		{
			description:
				'Nothing was prepared, because what is signed is valid on the chain that it names. If the option Expect Chain ID is right, the credential is of another chain, or the node may not be trusted.',
		},
	);
}

function formatPrepared(
	transaction: UnsignedTransaction,
	{ says, fee, waiting }: Pick<Prepared, 'says' | 'fee' | 'waiting'>,
) {
	const { chainId, from: deployer, to, nonce, value } = transaction;
	const unsigned = serializeTransaction(transaction);
	const contractAddress = to === undefined ? getCreateAddress(deployer, nonce) : null;
	return {
		transaction: formatTransactionRequest(transaction),
		unsignedTransaction: `0x${unsigned.toString('hex')}`,
		signingHash: `0x${keccak256(unsigned).toString('hex')}`,
		maxCost: formatUnits(value + fee, ETHER_DECIMALS),
		contractAddress,
		summary: formatSummary({ says, fee, chainId, nonce, waiting, contractAddress }),
	};
}
