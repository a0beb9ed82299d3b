import { accounts, direction, tokens } from '../fields/transferFields';
import { readTransfers, withTokenInfo } from '../core/evm/transfers';
import {
	formatTokenAmount,
	readAllowance,
	readBalance,
	readTokenInfos,
	readToken,
} from '../core/evm/tokens';
import type { Field } from '../core/operation/field';
import { pathField } from '../core/operation/path';
import { limit, returnAll } from '../core/operation/sharedFields';
import { rpcOptions } from '../core/operation/transportOptions';
import { rpc } from '../core/transport/rpc/chain';
import { checksumAddress, parseEvmAddress } from '../core/evm/address';
import { fromBlock, stateBlock, toBlock } from './fields';

/** It stands apart from its field, because n8n's lint takes what is called a token for a secret. */
const TOKEN_NAME = 'token';

const contractAddress = {
	displayName: 'Token',
	name: TOKEN_NAME,
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The contract address of the ERC-20 token',
	parse: parseEvmAddress,
} as const satisfies Field;

const owner = {
	displayName: 'Owner',
	name: 'owner',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
	description: 'The account that holds the token',
	parse: parseEvmAddress,
} as const satisfies Field;

const spender = {
	displayName: 'Spender',
	name: 'spender',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
	description: 'The account or contract that may spend the token',
	parse: parseEvmAddress,
} as const satisfies Field;

const get = rpc({
	name: 'Get',
	action: 'Get the details of a token',
	description: 'Get the name, symbol, decimals and supply of an ERC-20 token',
	fields: [contractAddress, pathField('/'), rpcOptions()],
	async *run(p, chain) {
		const { totalSupply, ...facts } = await readToken(chain, p.token);
		yield {
			token: checksumAddress(p.token),
			...facts,
			totalSupply: totalSupply?.toString() ?? null,
			supply: totalSupply === null ? null : formatTokenAmount(totalSupply, facts),
		};
	},
});

const getBalance = rpc({
	name: 'Get Balance',
	action: 'Get the token balance of an account',
	description: 'Get how much of an ERC-20 token an account holds',
	fields: [contractAddress, owner, stateBlock, pathField('/'), rpcOptions()],
	async *run(p, chain) {
		const [balance, factsOf] = await Promise.all([
			readBalance(chain, p.token, p.owner, p.block),
			readTokenInfos(chain, [p.token]),
		]);
		const facts = factsOf(p.token);
		yield {
			token: checksumAddress(p.token),
			owner: checksumAddress(p.owner),
			...facts,
			balance: balance.toString(),
			amount: formatTokenAmount(balance, facts),
		};
	},
});

const getAllowance = rpc({
	name: 'Get Allowance',
	action: 'Get the allowance of a token',
	description: 'Get how much of an ERC-20 token an account lets another one spend',
	fields: [contractAddress, owner, spender, stateBlock, pathField('/'), rpcOptions()],
	async *run(p, chain) {
		const [allowance, factsOf] = await Promise.all([
			readAllowance(chain, p.token, p.owner, p.spender, p.block),
			readTokenInfos(chain, [p.token]),
		]);
		const facts = factsOf(p.token);
		yield {
			token: checksumAddress(p.token),
			owner: checksumAddress(p.owner),
			spender: checksumAddress(p.spender),
			...facts,
			allowance: allowance.toString(),
			amount: formatTokenAmount(allowance, facts),
		};
	},
});

const getTransfers = rpc({
	name: 'Get Transfers',
	action: 'Find token transfers, such as payments',
	description: 'Get the transfers of ERC-20 tokens over any range of blocks, in exact amounts',
	fields: [
		tokens,
		accounts,
		direction,
		fromBlock,
		toBlock,
		returnAll,
		limit,
		pathField('/'),
		rpcOptions(),
	],
	async *run(p, chain) {
		for await (const transfers of readTransfers(chain, p))
			yield* await withTokenInfo(chain, transfers);
	},
});

export const token = { name: 'Token', operations: { get, getAllowance, getBalance, getTransfers } };
