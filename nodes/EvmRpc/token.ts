import { createKeyMaker, createLeastAmount, formatBalance } from '../core/chain/payment';
import { formatTokenAmount } from '../core/chain/tokens';
import { minAmount } from '../fields/minAmount';
import { accounts, direction, tokens } from '../fields/transferFields';
import { readTransfers, withTokenFacts } from '../core/evm/transfers';
import {
	readAllowance,
	readBalance,
	readBalances,
	readTokenFacts,
	readToken,
} from '../core/evm/tokens';
import type { Field } from '../core/operation/field';
import { pathField } from '../core/operation/path';
import { limit, returnAll } from '../core/operation/sharedFields';
import { outputFields } from '../core/operation/outputFields';
import { optionsField } from '../core/operation/transportOptions';
import { rpcOperation } from '../core/protocols/rpc/operation';
import { checksumAddress, parseEvmAddress } from '../core/evm/address';
import { listParser } from '../core/values/json';
import { InvalidValue } from '../core/values/parse';
import { fromBlock, stateBlock, toBlock } from './fields';
import { raise } from '../core/errors/raise';
import { TOKEN_NAME } from '../fields/tokenNames';

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

const get = rpcOperation({
	name: 'Get',
	action: 'Get details of token',
	description: 'Get the name, symbol, decimals and supply of an ERC-20 token',
	fields: [contractAddress, pathField('/')],
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

const getBalance = rpcOperation({
	name: 'Get Balance',
	action: 'Get token balance of account',
	description: 'Get how much of an ERC-20 token an account holds',
	fields: [contractAddress, owner, stateBlock, pathField('/')],
	async *run(p, chain) {
		const [balance, factsOf] = await Promise.all([
			readBalance(chain, p.token, p.owner, p.block),
			readTokenFacts(chain, [p.token]),
		]);
		const facts = factsOf(p.token);
		yield {
			token: checksumAddress(p.token),
			owner: checksumAddress(p.owner),
			...formatBalance(balance, facts),
			balance: String(balance),
		};
	},
});

const getAllowance = rpcOperation({
	name: 'Get Allowance',
	action: 'Get allowance of token',
	description: 'Get how much of an ERC-20 token an account allows another account to spend',
	fields: [contractAddress, owner, spender, stateBlock, pathField('/')],
	async *run(p, chain) {
		const [allowance, factsOf] = await Promise.all([
			readAllowance(chain, p.token, p.owner, p.spender, p.block),
			readTokenFacts(chain, [p.token]),
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

/**
 * The name is a constant outside of the field, because n8n's lint would take the literal 'tokens' in a field for a
 * secret.
 */
const LIST_NAME = 'tokens';
const parseTokens = listParser(parseEvmAddress);

const tokenList = {
	displayName: 'Tokens',
	name: LIST_NAME,
	type: 'string',
	required: true,
	default: '',
	placeholder:
		'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed, 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
	description:
		'The contract addresses of the ERC-20 tokens: comma-separated, or a list from an expression',
	parse: (given: unknown) => {
		const list = parseTokens(given);
		return list.length > 0 ? list : raise(new InvalidValue('one or more token addresses'));
	},
} as const satisfies Field;

const includeZero = {
	displayName: 'Include Zero',
	name: 'includeZero',
	type: 'boolean',
	default: true,
	description: 'Whether to include tokens of which the account holds nothing',
} as const satisfies Field;

const getBalances = rpcOperation({
	name: 'Get Balances',
	action: 'Get many token balances, such as portfolio',
	description:
		'Get how much of each of several ERC-20 tokens an account holds. If a token does not answer, its item has the reason.',
	fields: [tokenList, owner, stateBlock, pathField('/'), optionsField([includeZero])],
	async *run(p, chain) {
		const [balances, factsOf] = await Promise.all([
			readBalances(chain, p.tokens, p.owner, p.block),
			readTokenFacts(chain, p.tokens),
		]);
		const { includeZero: isZeroWanted = includeZero.default } = p.options;
		for (const { token: at, balance, problem } of balances) {
			if (balance === 0n && !isZeroWanted) continue;
			const facts = factsOf(at);
			yield {
				token: checksumAddress(at),
				owner: checksumAddress(p.owner),
				...formatBalance(balance, facts),
				balance: balance?.toString() ?? null,
				...(problem !== undefined && { error: problem }),
			};
		}
	},
});

const getTransfers = rpcOperation({
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
		optionsField([minAmount, outputFields]),
	],
	async *run(p, chain) {
		const least = createLeastAmount(p.options.minAmount, chain.addHint);
		const wanted = least.isZero ? p : { ...p, limit: undefined };
		const makeKey = createKeyMaker();
		for await (const transfers of readTransfers(chain, wanted))
			yield* await withTokenFacts(chain, transfers, { makeKey, least });
	},
});

export const token = {
	name: 'Token',
	operations: { get, getAllowance, getBalance, getBalances, getTransfers },
};
