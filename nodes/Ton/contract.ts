import type { Field } from '../core/operation/field';
import { formatTonAddresses } from '../core/ton/address';
import { postApi } from '../core/ton/reader';
import { parseArguments, readMethodResult } from '../core/ton/stack';
import { restOperation } from '../core/protocols/rest';
import { parseJsonList } from '../core/values/json';
import { isBlank, trimText, InvalidValue } from '../core/values/parse';
import { address } from './fields';
import { raise } from '../core/errors/raise';

const contractField = {
	...address,
	displayName: 'Contract',
	name: 'contract',
	placeholder: 'e.g. EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
	description: 'The contract to call, as a user-friendly (EQ…) or raw (0:…) address',
} as const satisfies Field;

const METHOD_PATTERN = /^[A-Za-z_]\w{0,126}$/;

const method = {
	displayName: 'Method',
	name: 'method',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. get_wallet_address',
	description: 'The name of the get-method (a function that only reads)',
	parse: (given: unknown) => {
		const name = trimText(given);
		return METHOD_PATTERN.test(name)
			? name
			: raise(new InvalidValue('the name of a get-method, such as seqno'));
	},
} as const satisfies Field;

const argumentsField = {
	displayName: 'Arguments',
	name: 'arguments',
	type: 'json',
	default: '[]',
	description:
		'The arguments as a JSON list, in the order of the method. A whole number is a JSON number, or text in decimal or 0x-hex. An address is {"address": "EQ…"}. A piece of data (cell or slice) in base64 is {"cell": "…"} or {"slice": "…"}.',
	hint: 'e.g. [{"address": "EQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k55Q"}, 5]',
	parse: (given: unknown) => parseArguments(isBlank(given) ? [] : parseJsonList(given)),
} as const satisfies Field;

const call = restOperation({
	name: 'Call',
	action: 'Call get-method of contract',
	description: 'Call a get-method of a contract, a function that only reads and costs nothing',
	fields: [contractField, method, argumentsField],
	async *run(p, context) {
		const { isTestOnly } = p.contract;
		const answer = await postApi(context, 'runGetMethod', {
			address: formatTonAddresses(p.contract).raw,
			method: p.method,
			stack: p.arguments,
		});
		yield readMethodResult(answer, (one) => formatTonAddresses({ ...one, isTestOnly }).bounceable);
	},
});

export const contract = { name: 'Contract', operations: { call } };
