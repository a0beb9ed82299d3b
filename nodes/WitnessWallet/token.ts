import {
	blockOrBackParser,
	findFirstBlock,
	isDistanceBack,
	type DistanceBack,
} from '../core/chain/back';
import { createKeyMaker, createLeastAmount, formatBalance } from '../core/chain/payment';
import { formatTokenAmount } from '../core/chain/tokens';
import type { RestReader } from '../core/chain/reader';
import { InvalidInput } from '../core/errors/invalidInput';
import { NodeLagging } from '../core/errors/nodeLagging';
import { RequestFailure } from '../core/errors/requestFailure';
import type { Field } from '../core/operation/field';
import { limit, returnAll } from '../core/operation/sharedFields';
import { outputFields } from '../core/operation/outputFields';
import { optionsField } from '../core/operation/transportOptions';
import { restOperation } from '../core/protocols/rest';
import { listParser } from '../core/values/json';
import { safeIntegerParser } from '../core/values/numbers';
import { isBlank, rethrow, trimText, type Parse, InvalidValue } from '../core/values/parse';
import { formatWitnessAddresses, parseWitnessAccount } from '../core/witness/address';
import { readBlockHeader, readHeads } from '../core/witness/blocks';
import { readBlocks } from '../core/witness/readBlocks';
import type { BlockRange } from '../core/chain/blocks';
import { readToken, readTokenBalance, readTokenFacts } from '../core/witness/tokens';
import {
	createTransferSearch,
	formatTokenTransfers,
	type TokenTransfer,
} from '../core/witness/tokenTransfers';
import { minAmount } from '../fields/minAmount';
import { tokenContract } from './fields';
import { raise } from '../core/errors/raise';
import { TOKENS_NAME } from '../fields/tokenNames';

const ANY_FORM = 'in base58 (T…) or in hex (41…)';

const readContract = {
	...tokenContract,
	description: `The address of the TRC-20 token, ${ANY_FORM}`,
	parse: parseWitnessAccount,
} as const satisfies Field;

const owner = {
	displayName: 'Owner',
	name: 'owner',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC',
	description: `The account that holds the token, ${ANY_FORM}`,
	parse: parseWitnessAccount,
} as const satisfies Field;

const tokens = {
	displayName: 'Tokens',
	name: TOKENS_NAME,
	type: 'string',
	default: '',
	placeholder: 'e.g. TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
	description:
		'Only transfers of these TRC-20 tokens: their addresses, comma-separated, or an array',
	hint: 'Empty for any token',
	parse: listParser(parseWitnessAccount),
} as const satisfies Field;

const accounts = {
	displayName: 'Accounts',
	name: 'accounts',
	type: 'string',
	default: '',
	placeholder: 'e.g. THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC',
	description: 'Only transfers from or to these accounts: comma-separated, or an array',
	hint: 'Empty for any account',
	parse: listParser(parseWitnessAccount),
} as const satisfies Field;

const direction = {
	displayName: 'Direction',
	name: 'direction',
	type: 'options',
	default: 'any',
	description: 'Whether the accounts send the tokens or receive them',
	options: [
		{ name: 'Any', value: 'any' },
		{ name: 'From the Accounts', value: 'from' },
		{ name: 'To the Accounts', value: 'to' },
	],
} as const satisfies Field;

/** The directions that the search for transfers knows, by the values of the field Direction. */
const SIDES = { any: 'any', from: 'out', to: 'in' } as const;

const LATEST = 'latest';

type GivenBlock = number | typeof LATEST;

const parseBlock: Parse<GivenBlock> = (given) => {
	const text = trimText(given).toLowerCase();
	if (text === LATEST) return LATEST;
	return isBlank(given)
		? raise(new InvalidValue('latest, or a block number, decimal or 0x-hex'))
		: safeIntegerParser(0)(given);
};

const fromBlock = {
	displayName: 'From Block',
	name: 'fromBlock',
	type: 'string',
	required: true,
	default: '200 blocks back',
	placeholder: 'e.g. 70000000 or 2 hours back',
	description:
		'The first block to search: a number, decimal or 0x-hex, or latest; or a distance back from To Block, such as 2 hours back',
	parse: blockOrBackParser(parseBlock),
} as const satisfies Field;

const toBlock = {
	displayName: 'To Block',
	name: 'toBlock',
	type: 'string',
	default: LATEST,
	placeholder: 'e.g. 70000100',
	description:
		'The last block to search: a number, decimal or 0x-hex, or latest, which is the last irreversible block. Every block in between is read; a day has 28,800 blocks.',
	parse: (given: unknown) => (isBlank(given) ? LATEST : parseBlock(given)),
} as const satisfies Field;

const get = restOperation({
	name: 'Get',
	action: 'Get details of token',
	description: 'Get the name, symbol, decimals and supply of a TRC-20 token',
	fields: [readContract],
	async *run(p, context) {
		const { totalSupply, ...facts } = await readToken(context, p.token);
		yield {
			token: formatWitnessAddresses(p.token).base58,
			...facts,
			totalSupply: totalSupply?.toString() ?? null,
			supply: totalSupply === null ? null : formatTokenAmount(totalSupply, facts),
		};
	},
});

const getBalance = restOperation({
	name: 'Get Balance',
	action: 'Get token balance of account',
	description: 'Get how much of a TRC-20 token an account holds',
	fields: [readContract, owner],
	async *run(p, context) {
		const [balance, factsOf] = await Promise.all([
			readTokenBalance(context, p.token, p.owner),
			readTokenFacts(context, [p.token]),
		]);
		const facts = factsOf(p.token);
		yield {
			token: formatWitnessAddresses(p.token).base58,
			owner: formatWitnessAddresses(p.owner).base58,
			...formatBalance(balance, facts),
			balance: String(balance),
		};
	},
});

const getTransfers = restOperation({
	name: 'Get Transfers',
	action: 'Find token transfers, such as payments',
	description:
		'Get the transfers of TRC-20 tokens in a range of irreversible blocks. Amounts are never rounded.',
	fields: [
		tokens,
		accounts,
		direction,
		fromBlock,
		toBlock,
		returnAll,
		limit,
		optionsField([minAmount, outputFields]),
	],
	async *run(p, context) {
		const range = await readRange(context, p);
		const search = createTransferSearch({ ...p, direction: SIDES[p.direction] });
		const least = createLeastAmount(p.options.minAmount, context.addHint);
		const makeKey = createKeyMaker();
		let missing = least.isZero ? (p.limit ?? Infinity) : Infinity;
		for await (const blocks of readBlocks(context, range)) {
			// Transfers beyond the limit are dropped first, so that nothing is read about their tokens.
			const transfers: Array<readonly TokenTransfer[]> = [];
			for (const block of blocks) transfers.push(await search(block));
			const found = transfers.flat().slice(0, missing);
			missing -= found.length;
			const factsOf = await readTokenFacts(
				context,
				found.map(({ token }) => token),
			);
			yield* await formatTokenTransfers(found, { factsOf, makeKey, least });
		}
	},
});

export const token = { name: 'Token', operations: { get, getBalance, getTransfers } };

interface GivenRange {
	readonly fromBlock: GivenBlock | DistanceBack;
	readonly toBlock: GivenBlock;
}

/**
 * Reads the range of blocks to search. It refuses blocks that are not irreversible yet, because their transfers would be missing without a
 * warning.
 */
async function readRange(reader: RestReader, given: GivenRange): Promise<BlockRange> {
	const { fromBlock, toBlock } = given;
	if (typeof fromBlock === 'number' && toBlock !== LATEST) checkOrder(fromBlock, toBlock);
	const { irreversible } = await readHeads(reader);
	const last = irreversible?.number ?? -1;
	const getNumber = (block: GivenBlock) => (block === LATEST ? Math.max(last, 0) : block);
	const to = getNumber(toBlock);
	if (to > last) throw notIrreversibleError(to, last);
	const from = isDistanceBack(fromBlock)
		? await findFirstBlock(fromBlock, to, async (number) => await readTime(reader, number))
		: getNumber(fromBlock);
	if (from > last) throw notIrreversibleError(from, last);
	checkOrder(from, to);
	return { from, to };
}

async function readTime(reader: RestReader, number: number): Promise<number | undefined> {
	try {
		return (await readBlockHeader(reader, number)).timestamp / 1000;
	} catch (failure) {
		return failure instanceof NodeLagging ? undefined : rethrow(failure);
	}
}

function checkOrder(from: number, to: number): void {
	if (from > to) throw new InvalidInput("'From Block' must not be later than 'To Block'");
}

function notIrreversibleError(block: number, last: number): RequestFailure {
	const reached = last < 0 ? 'no block is' : `the last one is ${last}`;
	return new RequestFailure(`Block ${block} is not irreversible yet: ${reached}`, {
		description: `A block becomes irreversible after about a minute. Run the workflow again then, or set 'To Block' to ${LATEST}.`,
	});
}
