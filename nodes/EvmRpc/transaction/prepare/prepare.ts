import { InvalidInput } from '../../../core/errors/invalidInput';
import { quantityParser } from '../../../core/evm/objects';
import { RequestFailure } from '../../../core/errors/requestFailure';
import type { Field } from '../../../core/operation/field';
import { choiceFields } from '../../../core/operation/panel';
import { pathField } from '../../../core/operation/path';
import { throwInvalidResponse } from '../../../core/transport/responses/response';
import { markHandled } from '../../../core/transport/pacing/turns';
import { rpc, type Chain } from '../../../core/transport/rpc/chain';
import { getCreateAddress } from '../../../core/evm/transactions/contractAddress';
import {
	serializeTransaction,
	formatTransactionRequest,
	type UnsignedTransaction,
} from '../../../core/evm/transactions/unsigned';
import { parseEvmAddress } from '../../../core/evm/address';
import { keccak256 } from '../../../core/values/keccak';
import { formatUnits, ETHER_DECIMALS } from '../../../core/values/numbers';
import { checkFixedFees, computeMaxCost, chooseGasPrice } from './fees';
import { chooseGas } from './gas';
import type { AnyTransactionKind } from './transactionKind';
import { transactionKinds } from './transactionKinds';
import { DEFAULT_BUFFER_PERCENT, options } from './options';
import { useFixedNonce, reserveNonce } from './spending';
import { formatSummary } from './summary';

const from = {
	displayName: 'From',
	name: 'from',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The account that will sign and pay',
	parse: parseEvmAddress,
} as const satisfies Field;

const KIND_MENU = {
	displayName: 'Kind',
	name: 'kind',
	description: 'What the transaction does',
} as const;
const [kindMenu, ...kindFields] = choiceFields(KIND_MENU, transactionKinds, 'coinTransfer');
const kindField = kindMenu as Field & { readonly name: 'kind' };
/** Each kind knows the types of its own. */
const untypedKindFields = kindFields as readonly Field[] as readonly [];

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

export const prepare = rpc({
	name: 'Prepare',
	action: 'Prepare a transaction to pay, mint or deploy',
	description:
		'Make a transaction ready to be signed, with its fees, gas and nonce, and see what it will cost. Nothing is written to the chain.',
	fields: [from, kindField, ...untypedKindFields, speed, pathField('/'), options],
	async *run(p, chain) {
		const {
			nonce: fixedNonce,
			gas: fixedGas,
			gasBuffer = DEFAULT_BUFFER_PERCENT,
			allowZeroAddress = false,
			expectChainId,
			expectDecimals,
			...fixed
		} = p.options;
		const { from } = p;
		checkFixedFees(fixed);
		const one: AnyTransactionKind = transactionKinds[p.kind as keyof typeof transactionKinds];
		if (expectDecimals !== undefined && !one.hasDecimals) return throwNoDecimals(one);
		const context = { from, chain, allowZeroAddress, expectDecimals };
		const intending = one.intent(p as never, context);
		// Nothing has been waited for, so that the places are in the order of the items.
		const place =
			fixedNonce === undefined ? reserveNonce(chain, from, p.path) : useFixedNonce(fixedNonce);
		try {
			const buying = Promise.resolve(intending).then(
				async (intent) => await chooseGas(chain, from, intent, { gas: fixedGas, gasBuffer }),
			);
			const work = Promise.all([intending, chooseGasPrice(chain, p.speed, fixed), buying]);
			markHandled(work);
			// First of all: on another chain, whatever else went wrong says nothing.
			const chainId = await readChainId(chain, expectChainId);
			const [{ says, to, value, data }, price, { gas, balance: held }] = await work;
			const cost = computeMaxCost(value, gas, price);
			const { nonce, waiting } = await place.use({ from, cost, balance: held });
			const transaction = { chainId, from, to, nonce, gas, value, data, price };
			yield formatPrepared(transaction, says, waiting);
		} finally {
			place.release();
		}
	},
});

function throwNoDecimals({ name }: AnyTransactionKind): never {
	throw new InvalidInput(
		`'Options > Expect Decimals' must be removed where 'Kind' is ${name}`,
		'Only the amount of a token transfer or of a token approval depends on decimals that a token tells.',
	);
}

async function readChainId(chain: Chain, expected: bigint | undefined): Promise<bigint> {
	const told = await chain.call('eth_chainId', []);
	const id = quantityParser('a chain ID')(told);
	if (id === 0n) return throwInvalidResponse('a chain ID', told);
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
	says: string,
	waiting: bigint | undefined,
) {
	const { chainId, from: deployer, to, nonce, value, gas, price } = transaction;
	const unsigned = serializeTransaction(transaction);
	const contractAddress = to === undefined ? getCreateAddress(deployer, nonce) : null;
	const feeField = computeMaxCost(0n, gas, price);
	return {
		transaction: formatTransactionRequest(transaction),
		unsignedTransaction: `0x${unsigned.toString('hex')}`,
		signingHash: `0x${keccak256(unsigned).toString('hex')}`,
		maxCost: formatUnits(value + feeField, ETHER_DECIMALS),
		contractAddress,
		summary: formatSummary({ says, fee: feeField, chainId, nonce, waiting, contractAddress }),
	};
}
