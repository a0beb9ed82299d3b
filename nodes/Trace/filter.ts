import { withoutNulls, formatTrace } from '../core/evm/chainObjects';
import type { RequestFailure } from '../core/errors/requestFailure';
import type { Field } from '../core/operation/field';
import { limit, returnAll, simplify } from '../core/operation/sharedFields';
import { outputFields } from '../core/operation/outputFields';
import { optionsField } from '../core/operation/transportOptions';
import { rpcOperation, type Chain } from '../core/protocols/rpc/operation';
import { wholeNumberParser } from '../core/values/parse';
import { parseEvmAddress } from '../core/evm/address';
import { listParser, type JsonObject } from '../core/values/json';
import { blockParser, optionalParser } from '../core/values/numbers';
import { readBlockTimes } from '../core/evm/blockTimes';
import { readRange, buildRangeEnds, type RangeEnds } from '../core/evm/ranges';
import { collectPages } from '../core/protocols/rpc/pages';
import { TRACES_PER_PAGE, readTraces, readTraceReverts } from '../core/evm/traces';

const parseFilterBlock = optionalParser(blockParser('latest', 'earliest', 'pending'));
const parseAddresses = listParser(parseEvmAddress);

export const fromBlock = {
	displayName: 'From Block',
	name: 'fromBlock',
	type: 'string',
	default: '',
	placeholder: 'e.g. 19000000',
	description:
		'The first block to search, decimal or 0x-hex. A range with too many blocks or results for the chain node is read in parts.',
	hint: 'If empty, most chain nodes search from the first block',
	parse: parseFilterBlock,
} as const satisfies Field;

export const toBlock = {
	displayName: 'To Block',
	name: 'toBlock',
	type: 'string',
	default: '',
	placeholder: 'e.g. 19000100',
	description: 'The last block to search',
	hint: 'If empty, most chain nodes search up to the latest block',
	parse: parseFilterBlock,
} as const satisfies Field;

export const fromAddress = {
	displayName: 'From Address',
	name: 'fromAddress',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'Only calls and transfers from these addresses: comma-separated, or an array',
	hint: 'Empty for any sender',
	parse: parseAddresses,
} as const satisfies Field;

const toAddress = {
	displayName: 'To Address',
	name: 'toAddress',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description:
		'Only calls and transfers to these addresses: comma-separated, or an array. With From Address as well, many chain nodes return what matches either field.',
	hint: 'Empty for any receiver',
	parse: parseAddresses,
} as const satisfies Field;

export const after = {
	displayName: 'After',
	name: 'after',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description: 'How many calls and transfers to skip at the beginning',
	parse: wholeNumberParser(0),
} as const satisfies Field;

const pageSize = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 10_000 },
	default: TRACES_PER_PAGE,
	description: 'How many calls and transfers to request at once',
	parse: wholeNumberParser(1, 10_000),
} as const satisfies Field;

const showReverted = {
	displayName: 'Show Reverted',
	name: 'showReverted',
	type: 'boolean',
	default: false,
	description:
		'Whether to mark undone calls and transfers with <code>reverted</code>. Works with Simplify only, and needs further requests for nested calls.',
} as const satisfies Field;

export const filter = rpcOperation({
	name: 'Find',
	action: 'Find calls and transfers',
	description:
		'Find calls and transfers between addresses over any range of blocks, even if a contract makes them inside a transaction',
	fields: [
		fromBlock,
		toBlock,
		fromAddress,
		toAddress,
		returnAll,
		limit,
		simplify,
		optionsField([after, outputFields, pageSize, showReverted]),
	],
	async *run(p, { atPath: at }) {
		const chain = at('/');
		const { options, limit: most } = p;
		const addressees = {
			fromAddress: p.fromAddress.length > 0 ? p.fromAddress : undefined,
			toAddress: p.toAddress.length > 0 ? p.toAddress : undefined,
		};
		const count = Math.min(options.pageSize ?? pageSize.default, most ?? Infinity);
		const inRange = (ends: Partial<RangeEnds>) => ({
			fromBlock: ends.from,
			toBlock: ends.to,
			...addressees,
		});
		const found = readRange(
			chain,
			(ends, wanted) => readTraces(chain, inRange(ends), { count }, wanted),
			buildRangeEnds({ fromBlock: p.fromBlock ?? 'earliest', toBlock: p.toBlock ?? 'latest' }),
			{
				wanted: most,
				skip: options.after,
				whole: (_, wanted) => {
					const given = inRange({ from: p.fromBlock, to: p.toBlock });
					return readTraces(chain, given, { after: options.after, count }, wanted);
				},
			},
		);
		const traces = await collectPages(found);
		yield* p.simplify ? await formatTraces(chain, traces, options.showReverted) : traces;
	},
	advice: getAdvice,
});

async function formatTraces(
	chain: Chain,
	traces: readonly JsonObject[],
	showsReverted = false,
): Promise<JsonObject[]> {
	const isTraceReverted = showsReverted ? await readTraceReverts(chain, traces) : undefined;
	const getTime = await readBlockTimes(chain, traces);
	return traces.map((trace) => ({
		...formatTrace(trace),
		...(isTraceReverted && { reverted: isTraceReverted(trace) }),
		...withoutNulls({ timestamp: getTime(trace) }),
	}));
}

function getAdvice({ message: words }: RequestFailure): string | undefined {
	return /\b(tag|number|hex|quantity|parse|invalid (params|type|argument|string))/i.test(words)
		? 'If the chain node does not accept names such as latest here, give block numbers.'
		: undefined;
}
