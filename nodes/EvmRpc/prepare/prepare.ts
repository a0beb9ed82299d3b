import { InvalidInput } from '../../../credentials/invalidInput';
import { exactQuantity } from '../../core/chain/objects';
import { RequestFailure } from '../../core/errors/requestFailure';
import type { Field } from '../../core/operation/field';
import { choiceFields } from '../../core/operation/panel';
import { path } from '../../core/operation/path';
import { invalidResponse } from '../../core/responses/response';
import { rpc, type Chain } from '../../core/rpc/chain';
import { deployedAddress } from '../../core/transactions/contractAddress';
import { serialized, signable, type UnsignedTransaction } from '../../core/transactions/unsigned';
import { evmAddress } from '../../core/values/hex';
import { keccak256 } from '../../core/values/keccak';
import { decimalText, ETHER } from '../../core/values/numbers';
import { checkFixed, highestCost, priceOf } from './fees';
import { boughtGas } from './gas';
import type { AnyKind } from './kind';
import { kinds } from './kinds';
import { DEFAULT_BUFFER, options } from './options';
import { fixedPlace, ignoreFailure, placeOf } from './spending';
import { summaryOf } from './summary';

const from = {
	displayName: 'From',
	name: 'from',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The account that will sign and pay',
	read: evmAddress,
} as const satisfies Field;

const KIND = {
	displayName: 'Kind',
	name: 'kind',
	description: 'What the transaction does',
} as const;
const [menu, ...fieldsOfKinds] = choiceFields(KIND, kinds, 'coinTransfer');
const kind = menu as Field & { readonly name: 'kind' };
/** Each kind knows the types of its own. */
const ofKinds = fieldsOfKinds as readonly Field[] as readonly [];

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
	fields: [from, kind, ...ofKinds, speed, path('/'), options],
	async *run(p, chain) {
		const {
			nonce: fixedNonce,
			gas: fixedGas,
			gasBuffer = DEFAULT_BUFFER,
			allowZeroAddress = false,
			expectChainId,
			expectDecimals,
			...fixed
		} = p.options;
		const { from } = p;
		checkFixed(fixed);
		const one: AnyKind = kinds[p.kind as keyof typeof kinds];
		if (expectDecimals !== undefined && !one.hasDecimals) return throwNoDecimals(one);
		const context = { from, chain, allowZeroAddress, expectDecimals };
		const intending = one.intent(p as never, context);
		// Nothing has been waited for, so that the places are in the order of the items.
		const place = fixedNonce === undefined ? placeOf(chain, from, p.path) : fixedPlace(fixedNonce);
		try {
			const buying = Promise.resolve(intending).then(
				async (intent) => await boughtGas(chain, from, intent, { gas: fixedGas, gasBuffer }),
			);
			const work = Promise.all([intending, priceOf(chain, p.speed, fixed), buying]);
			ignoreFailure(work);
			// First of all: on another chain, whatever else went wrong says nothing.
			const chainId = await readChainId(chain, expectChainId);
			const [{ says, to, value, data }, price, { gas, held }] = await work;
			const cost = highestCost(value, gas, price);
			const { nonce, waiting } = await place.take({ from, cost, held });
			const transaction = { chainId, from, to, nonce, gas, value, data, price };
			yield prepared(transaction, says, waiting);
		} finally {
			place.leave();
		}
	},
});

function throwNoDecimals({ name }: AnyKind): never {
	throw new InvalidInput(
		`'Options > Expect Decimals' must be removed where 'Kind' is ${name}`,
		'Only the amount of a token transfer or of a token approval depends on decimals that a token tells.',
	);
}

async function readChainId(chain: Chain, expected: bigint | undefined): Promise<bigint> {
	const told = await chain.call('eth_chainId', []);
	const id = exactQuantity('a chain ID')(told);
	if (id === 0n) return invalidResponse('a chain ID', told);
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

function prepared(transaction: UnsignedTransaction, says: string, waiting: bigint | undefined) {
	const { chainId, from: deployer, to, nonce, value, gas, price } = transaction;
	const unsigned = serialized(transaction);
	const contractAddress = to === undefined ? deployedAddress(deployer, nonce) : null;
	const fee = highestCost(0n, gas, price);
	return {
		transaction: signable(transaction),
		unsignedTransaction: `0x${unsigned.toString('hex')}`,
		signingHash: `0x${keccak256(unsigned).toString('hex')}`,
		maxCost: decimalText(value + fee, ETHER),
		contractAddress,
		summary: summaryOf({ says, fee, chainId, nonce, waiting, contractAddress }),
	};
}
