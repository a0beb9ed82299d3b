import { InvalidInput } from '../../../credentials/invalidInput';
import { abiWith, type Abi } from '../../core/abi/abi';
import { encodeCall, functionOf } from '../../core/abi/call';
import {
	argumentsGiven,
	chosenFunction,
	encodedCall,
	encodedConstructor,
	functionFields,
} from '../../core/abi/functionFields';
import type { AbiFunction } from '../../core/abi/entry';
import { nftStandard } from '../../core/chain/nfts';
import { readFacts } from '../../core/chain/tokens';
import { RequestFailure } from '../../core/errors/requestFailure';
import type { Field, Params } from '../../core/operation/field';
import type { Described } from '../../core/operation/panel';
import type { Chain } from '../../core/rpc/chain';
import { coins, coinsOf, coinAmount } from '../../core/values/coins';
import { bytes, evmAddress } from '../../core/values/hex';
import { MAX_UINT256, optional, wholeAmount } from '../../core/values/numbers';
import { mustBe, readAs, trimmed, type Read } from '../../core/values/read';

/** What a transaction does. */
export interface Intent {
	/** Undefined where it creates a contract. */
	readonly to: string | undefined;
	readonly value: bigint;
	/** 0x-hex. */
	readonly data: string;
	/** Its errors may come back. */
	readonly abi?: Abi;
	/** Without a contract there it would do nothing, and succeed. */
	readonly isCall?: boolean;
	/** Some tokens return false instead of reverting. */
	readonly mayReturnFalse?: boolean;
}

/** Who prepares it. */
interface Context {
	readonly from: string;
	readonly chain: Chain;
	readonly allowZeroAddress: boolean;
}

/** One kind of transaction: its fields, and what their values mean. */
interface Kind<Fields extends readonly Field[]> extends Described {
	readonly fields: Fields;
	/** Throws at once where the values are wrong, before anything is asked. */
	intent(parameters: Params<Fields>, context: Context): Intent | Promise<Intent>;
}

/** Its own types are known to itself alone. */
export interface AnyKind extends Described {
	intent(parameters: never, context: Context): Intent | Promise<Intent>;
}

function kind<const Fields extends readonly Field[]>(one: Kind<Fields>): Kind<Fields> {
	return one;
}

const address = {
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
	read: evmAddress,
} as const;

const receiver = {
	...address,
	displayName: 'To',
	name: 'to',
	description: 'The account that receives',
} as const satisfies Field;

const contract = {
	...address,
	displayName: 'To',
	name: 'to',
	description: 'The address of the contract',
} as const satisfies Field;

const amountAlong = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	default: '0',
	placeholder: 'e.g. 0.1',
	description: 'How much to pay along with it, in whole coins or with a unit (wei, gwei, ether)',
	read: (given: unknown) => optional(coins)(given) ?? 0n,
} as const satisfies Field;

const coinTransfer = kind({
	name: 'Coin Transfer',
	description: 'Pay in the coin of the chain',
	fields: [
		receiver,
		{
			displayName: 'Amount',
			name: 'amount',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 0.1',
			description: 'How much to pay, in whole coins or with a unit (wei, gwei, ether)',
			read: coins,
		},
	],
	intent: (p, context) => {
		checkReceiver(p.to, context);
		return { to: p.to, value: p.amount, data: '0x' };
	},
});

/** Apart from their fields, because n8n's lint takes what is called a token for a secret. */
const [TOKEN, TOKEN_ID] = ['token', 'tokenId'] as const;

const token = {
	...address,
	displayName: 'Token',
	name: TOKEN,
	description: 'The contract address of the ERC-20 token',
} as const satisfies Field;

const only = (signature: string) => functionOf(abiWith('function')(signature), '');

const TRANSFER = only('transfer(address to, uint256 amount) returns (bool)');
const APPROVE = only('approve(address spender, uint256 amount) returns (bool)');

const tokenTransfer = kind({
	name: 'Token Transfer',
	description: 'Pay in an ERC-20 token',
	fields: [
		token,
		receiver,
		{
			displayName: 'Amount',
			name: 'amount',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 25.5',
			description: 'How much to pay, in whole tokens',
			read: coinAmount,
		},
	],
	intent: (p, context) => {
		checkReceiver(p.to, context, p.token);
		return tokenCall(context.chain, p, TRANSFER, p.to);
	},
});

const UNLIMITED = 'unlimited';

const allowance: Read<string> = (given) =>
	trimmed(given).toLowerCase() === UNLIMITED ? UNLIMITED : coinAmount(given);

const tokenApproval = kind({
	name: 'Token Approval',
	description: 'Allow another account or contract to spend an ERC-20 token',
	fields: [
		token,
		{
			...address,
			displayName: 'Spender',
			name: 'spender',
			description: 'The account or contract that may spend the token',
		},
		{
			displayName: 'Amount',
			name: 'amount',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 25.5',
			description:
				'How much may be spent in all, in whole tokens, or the word unlimited. 0 takes an approval back.',
			read: allowance,
		},
	],
	intent: (p, context) => {
		checkReceiver(p.spender, context, p.token, 'Spender');
		return tokenCall(context.chain, p, APPROVE, p.spender);
	},
});

async function tokenCall(
	chain: Chain,
	{ token: to, amount }: { readonly token: string; readonly amount: string },
	called: AbiFunction,
	party: string,
): Promise<Intent> {
	const units = amount === UNLIMITED ? MAX_UINT256 : await smallestUnits(chain, to, amount);
	const data = encodeCall(called, [party, units]);
	return { to, value: 0n, data, isCall: true, mayReturnFalse: true };
}

async function smallestUnits(chain: Chain, at: string, amount: string): Promise<bigint> {
	const { decimals } = (await readFacts(chain, [at]))(at);
	if (decimals !== null) return readAs('Amount', amount, coinsOf(decimals));
	throw new RequestFailure(`The token at ${at} tells no decimals`, {
		description:
			'An amount of whole tokens means nothing without them. There may be no token at this address; otherwise call its function with an amount in its smallest unit.',
	});
}

const SINGLE = only('safeTransferFrom(address from, address to, uint256 tokenId)');
const SEVERAL = only(
	'safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
);

const nftTransfer = kind({
	name: 'NFT Transfer',
	description: 'Pass on a token of an ERC-721 or ERC-1155 contract',
	fields: [
		{
			...address,
			displayName: 'NFT Contract',
			name: 'contract',
			description: 'The address of the ERC-721 or ERC-1155 contract',
		},
		{
			displayName: 'Token ID',
			name: TOKEN_ID,
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 1234',
			description: 'Which token of the contract, decimal or 0x-hex',
			read: wholeAmount,
		},
		receiver,
		{
			displayName: 'Quantity',
			name: 'quantity',
			type: 'string',
			default: '1',
			placeholder: 'e.g. 1',
			description: 'How many of the token, for ERC-1155 only',
			read: (given: unknown) => {
				const quantity = optional(wholeAmount)(given) ?? 1n;
				return quantity > 0n ? quantity : mustBe('1 or more');
			},
		},
	],
	intent: (p, context) => {
		checkReceiver(p.to, context, p.contract);
		return passingOn(p, context);
	},
});

interface Passed {
	readonly contract: string;
	readonly tokenId: bigint;
	readonly to: string;
	readonly quantity: bigint;
}

async function passingOn(p: Passed, { chain, from }: Context): Promise<Intent> {
	const standard = await nftStandard(chain, p.contract, p.tokenId);
	const args = [from, p.to, p.tokenId];
	if (standard === 'ERC-721' && p.quantity !== 1n) return onlyOne(p.quantity);
	const data =
		standard === 'ERC-721'
			? encodeCall(SINGLE, args)
			: encodeCall(SEVERAL, [...args, p.quantity, '0x']);
	return { to: p.contract, value: 0n, data, isCall: true };
}

function onlyOne(quantity: bigint): never {
	throw new InvalidInput(
		`'Quantity' must be 1; got ${quantity}`,
		'There is one of each token in an ERC-721 contract.',
	);
}

const contractFunction = kind({
	name: 'Contract Function',
	description: 'Call a function of a contract that changes something',
	fields: [contract, ...functionFields, amountAlong],
	intent: (p) => {
		const called = chosenFunction(p.function, p.functionName);
		if (p.amount > 0n && called.isPayable === false) return notPayable(called.name);
		return {
			to: p.to,
			value: p.amount,
			data: encodedCall(called, p),
			abi: p.function,
			isCall: true,
		};
	},
});

function notPayable(name: string): never {
	throw new InvalidInput(
		`'Amount' must be 0: ${name} is not payable`,
		'A function that is not declared payable refuses coins.',
	);
}

/** What compilers leave where the address of a library belongs. */
const PLACEHOLDER = /_[_$\w.:/-]*_/;

const bytecode = {
	displayName: 'Bytecode',
	name: 'bytecode',
	type: 'string',
	typeOptions: { rows: 2 },
	required: true,
	default: '',
	placeholder: 'e.g. 0x6080604052…',
	description:
		"What the compiler made of the contract, as hex, without the constructor's arguments",
	read: (given: unknown) => {
		const hex = trimmed(given).replace(/^(?!0x)/i, '0x');
		if (PLACEHOLDER.test(hex)) {
			return mustBe('linked: it has placeholders where the addresses of libraries belong');
		}
		return hex === '0x' ? mustBe('the bytecode of a contract as hex') : bytes(hex);
	},
} as const satisfies Field;

const constructorOrAbi = {
	displayName: 'Constructor',
	name: 'function',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. constructor(string name)',
	description:
		'The constructor as Solidity declares it, or the JSON ABI of the contract. Empty where it takes no arguments.',
	read: optional(abiWith('constructor')),
} as const satisfies Field;

const deployment = kind({
	name: 'Deployment',
	description: 'Put a contract on the chain',
	fields: [bytecode, constructorOrAbi, ...argumentsGiven, amountAlong],
	intent: (p) => {
		const { isPayable } = p.function?.constructors[0] ?? {};
		if (p.amount > 0n && isPayable === false) return notPayable('the constructor');
		const data = p.bytecode + encodedConstructor(p.function, p);
		return { to: undefined, value: p.amount, data, abi: p.function };
	},
});

const callData = {
	displayName: 'Data',
	name: 'data',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0xa9059cbb…',
	description: 'The encoded call as 0x-hex',
	read: optional(bytes),
} as const satisfies Field;

const data = kind({
	name: 'Data',
	description: 'Data that is encoded already',
	fields: [contract, callData, amountAlong],
	intent: (p) => ({ to: p.to, value: p.amount, data: p.data ?? '0x' }),
});

/** By name, as n8n lists them. */
export const kinds = {
	coinTransfer,
	contractFunction,
	data,
	deployment,
	nftTransfer,
	tokenApproval,
	tokenTransfer,
} as const;

const ZERO = /^0x0{40}$/;

/** What nobody means, and what costs people their tokens. */
function checkReceiver(
	to: string,
	{ allowZeroAddress }: Context,
	ofToken?: string,
	label = 'To',
): void {
	if (ZERO.test(to) && !allowZeroAddress) {
		throw new InvalidInput(
			`'${label}' must be another address than the zero address`,
			'What it receives is lost. If that is meant, switch the option Allow Zero Address on.',
		);
	}
	if (ofToken !== undefined && to.toLowerCase() === ofToken.toLowerCase()) {
		throw new InvalidInput(
			`'${label}' must be another address than the token's own contract`,
			'Did you mean the account that receives? What a token contract receives of itself is lost as a rule.',
		);
	}
}
