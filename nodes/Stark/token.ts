import { createLeastAmount, formatBalance } from '../core/chain/payment';
import { formatTokenAmount } from '../core/chain/tokens';
import { limit, returnAll } from '../core/operation/sharedFields';
import { resolveBlockId } from '../core/stark/blocks';
import { formatFelt } from '../core/stark/felts';
import { readBalance, readToken, readTokenFacts } from '../core/stark/tokens';
import { readTransfers } from '../core/stark/transfers';
import { rpcOperation } from '../core/protocols/rpc/operation';
import { outputFields } from '../core/operation/outputFields';
import { optionsField } from '../core/operation/transportOptions';
import { methodPrefix } from '../core/operation/methodPrefix';
import { minAmount } from '../fields/minAmount';
import { accounts, accountField, tokens } from '../fields/starkFields';
import { direction } from '../fields/transferFields';
import {
	fromBlock,
	openNode,
	prefixOptions,
	path,
	stateBlock,
	toBlock,
	tokenAddress,
} from './fields';

const owner = accountField('Owner', 'owner', 'The account that holds the token');

const get = rpcOperation({
	name: 'Get',
	action: 'Get details of token',
	description: 'Get the name, symbol, decimals and supply of an ERC-20 token',
	fields: [tokenAddress, path, prefixOptions],
	async *run(p, chain) {
		const { totalSupply, ...facts } = await readToken(openNode(chain, p), p.token);
		yield {
			token: formatFelt(p.token),
			...facts,
			totalSupply: totalSupply?.toString() ?? null,
			supply: totalSupply === null ? null : formatTokenAmount(totalSupply, facts),
		};
	},
});

const getBalance = rpcOperation({
	name: 'Get Balance',
	action: 'Get token balance of account',
	description: 'Get how much of an ERC-20 token an account holds',
	fields: [tokenAddress, owner, stateBlock, path, prefixOptions],
	async *run(p, chain) {
		const reader = openNode(chain, p);
		const block = await resolveBlockId(reader, p.block);
		const [balance, factsOf] = await Promise.all([
			readBalance(reader, p.token, p.owner, block),
			readTokenFacts(reader, [p.token]),
		]);
		const facts = factsOf(p.token);
		yield {
			token: formatFelt(p.token),
			owner: formatFelt(p.owner),
			...formatBalance(balance, facts),
			balance: String(balance),
		};
	},
});

const getTransfers = rpcOperation({
	name: 'Get Transfers',
	action: 'Find token transfers, such as payments',
	description:
		'Get the transfers of ERC-20 tokens in any range of blocks. Amounts are never rounded.',
	fields: [
		tokens,
		accounts,
		direction,
		fromBlock,
		toBlock,
		returnAll,
		limit,
		path,
		optionsField([methodPrefix, minAmount, outputFields]),
	],
	async *run(p, chain) {
		const least = createLeastAmount(p.options.minAmount, chain.addHint);
		const wanted = { ...p, least };
		for await (const transfers of readTransfers(openNode(chain, p), wanted)) yield* transfers;
	},
});

export const token = { name: 'Token', operations: { get, getBalance, getTransfers } };
