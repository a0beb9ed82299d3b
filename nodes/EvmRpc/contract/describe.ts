import { parseEvmAddress } from '../../core/evm/address';
import { describeContract, readFoundContract } from '../../core/evm/contracts/describe';
import type { Field } from '../../core/operation/field';
import { pathField } from '../../core/operation/path';
import { outputFields } from '../../core/operation/outputFields';
import { optionsField } from '../../core/operation/transportOptions';
import { rpcOperation } from '../../core/protocols/rpc/operation';
import { wholeNumberParser } from '../../core/values/parse';
import { gateway } from './fields';

const contract = {
	displayName: 'Contract',
	name: 'contract',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The address of the contract, or of the proxy contract in front of it',
	parse: parseEvmAddress,
} as const satisfies Field;

export const DEFAULT_MAX_MEGABYTES = 1;
/** The option Max Size can be this high at most: an ABI is smaller, and parsing larger JSON would block n8n. */
const MAX_MEGABYTES = 10;

const maxSize = {
	displayName: 'Max Size',
	name: 'maxSize',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_MEGABYTES },
	default: DEFAULT_MAX_MEGABYTES,
	description:
		"The highest size of the contract's metadata file, in megabytes. A larger file is treated as missing.",
	parse: wholeNumberParser(1, MAX_MEGABYTES),
} as const satisfies Field;

export const describe = rpcOperation({
	name: 'Describe',
	action: 'Describe smart contract',
	description:
		'Get the functions, events and errors of a contract from its address alone. For a proxy, those of the contract behind it.',
	fields: [contract, gateway, pathField('/'), optionsField([maxSize, outputFields])],
	async *run(p, chain) {
		const { openStream, shared } = chain;
		const maxMegabytes = p.options.maxSize ?? DEFAULT_MAX_MEGABYTES;
		const source =
			p.gateway === undefined
				? undefined
				: { openStream, shared, gateway: p.gateway, maxMegabytes };
		const found = await readFoundContract(chain, p.contract, source);
		if (found.problem)
			chain.addHint(
				`Some functions have no names, because the contract's description (metadata) could not be used: ${found.problem.message}`,
			);
		yield* describeContract(p.contract, found);
	},
});
