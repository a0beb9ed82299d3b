import { parseEvmAddress } from '../core/evm/address';
import { readFeedPrice } from '../core/evm/priceFeed';
import type { Field } from '../core/operation/field';
import { pathField } from '../core/operation/path';
import { rpcOperation } from '../core/protocols/rpc/operation';
import { wholeNumberParser } from '../core/values/parse';

const feed = {
	displayName: 'Feed',
	name: 'feed',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description:
		'The contract address of a price feed on this chain. A price feed publishes a price such as ETH / USD.',
	hint: "Find the contract address in the list of the feed's operator, which also says how often the price is updated",
	parse: parseEvmAddress,
} as const satisfies Field;

const maxAge = {
	displayName: 'Max Age',
	name: 'maxAge',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 86_400,
	description:
		'The highest age of the price in seconds. An older price is still returned, with isStale true.',
	parse: wholeNumberParser(0),
} as const satisfies Field;

const STALE_HINT = "A price is older than 'Max Age', and its item has isStale: do not pay by it.";

const get = rpcOperation({
	name: 'Get',
	action: 'Get price from feed',
	description:
		'Get the latest price of a price feed on the chain, in exact digits, and its age at the latest block',
	fields: [feed, maxAge, pathField('/')],
	async *run(p, chain) {
		const { roundId, ...found } = await readFeedPrice(chain, p.feed);
		const isStale = found.ageSeconds > p.maxAge;
		if (isStale) chain.addHint(STALE_HINT);
		yield { ...found, isStale, roundId };
	},
});

export const price = { name: 'Price', operations: { get } };
