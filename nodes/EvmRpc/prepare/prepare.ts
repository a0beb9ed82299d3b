import { exactQuantity } from '../../core/chain/objects';
import type { Field } from '../../core/operation/field';
import { choiceFields } from '../../core/operation/panel';
import { path } from '../../core/operation/path';
import { rpcOptions } from '../../core/operation/transportOptions';
import { invalidResponse } from '../../core/responses/response';
import { rpc, type Chain } from '../../core/rpc/chain';
import { deployedAddress } from '../../core/transactions/contractAddress';
import {
	MAX_GAS,
	MAX_NONCE,
	serialized,
	signable,
	type UnsignedTransaction,
} from '../../core/transactions/unsigned';
import { evmAddress } from '../../core/values/hex';
import { keccak256 } from '../../core/values/keccak';
import { amountInWei, decimalText, ETHER, optional, wholeAmount } from '../../core/values/numbers';
import { mustBe, wholeNumber } from '../../core/values/read';
import { checkFixed, highestCost, priceOf } from './fees';
import { boughtGas } from './gas';
import type { AnyKind } from './kind';
import { kinds } from './kinds';
import { fixedPlace, placeOf } from './spending';

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

const DEFAULT_BUFFER = 20;

const options = rpcOptions(
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
			...fixed
		} = p.options;
		checkFixed(fixed);
		const one: AnyKind = kinds[p.kind as keyof typeof kinds];
		const intending = one.intent(p as never, { from: p.from, chain, allowZeroAddress });
		// Nothing has been waited for, so that the places are in the order of the items.
		const place =
			fixedNonce === undefined ? placeOf(chain, p.from, p.path) : fixedPlace(fixedNonce);
		try {
			const buying = Promise.resolve(intending).then(
				async (intent) => await boughtGas(chain, p.from, intent, { gas: fixedGas, gasBuffer }),
			);
			const [intent, chainId, price, { gas, held }] = await Promise.all([
				intending,
				readChainId(chain),
				priceOf(chain, p.speed, fixed),
				buying,
			]);
			const { to, value, data } = intent;
			const cost = highestCost(value, gas, price);
			const nonce = await place.take({ from: p.from, cost, held });
			yield prepared({ chainId, from: p.from, to, nonce, gas, value, data, price });
		} finally {
			place.leave();
		}
	},
});

async function readChainId(chain: Chain): Promise<bigint> {
	const told = await chain.call('eth_chainId', []);
	const id = exactQuantity('a chain ID')(told);
	return id > 0n ? id : invalidResponse('a chain ID', told);
}

function prepared(transaction: UnsignedTransaction) {
	const { from: deployer, to, nonce, value, gas, price } = transaction;
	const unsigned = serialized(transaction);
	return {
		transaction: signable(transaction),
		unsignedTransaction: `0x${unsigned.toString('hex')}`,
		signingHash: `0x${keccak256(unsigned).toString('hex')}`,
		maxCost: decimalText(highestCost(value, gas, price), ETHER),
		contractAddress: to === undefined ? deployedAddress(deployer, nonce) : null,
	};
}
