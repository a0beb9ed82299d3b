import { Answer } from '../core/chain/answer';
import type { Field } from '../core/operation/field';
import { parseTonAccount } from '../core/ton/address';
import { addressFormatter } from '../core/ton/addressBook';
import { parsePage, readApi } from '../core/ton/reader';
import { restOperation } from '../core/protocols/rest';
import { trimText, InvalidValue } from '../core/values/parse';
import { raise } from '../core/errors/raise';

/** A name has labels of letters, digits and inner hyphens, and ends in .ton or .t.me. */
const NAME_PATTERN = /^(?=.{5,130}$)([a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:ton|t\.me)$/;

const nameField = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. alice.ton',
	description: 'A name that ends with .ton or .t.me',
	parse: (given: unknown) => {
		const written = trimText(given).toLowerCase();
		return NAME_PATTERN.test(written)
			? written
			: raise(new InvalidValue('a name such as alice.ton, of letters, digits and hyphens'));
	},
} as const satisfies Field;

const resolve = restOperation({
	name: 'Resolve',
	action: 'Resolve TON name to address',
	description:
		'Get the account that a name stands for, and the owner of the name; null if the name does not exist',
	fields: [nameField],
	async *run(p, context) {
		const answer = await readApi(context, 'dns/records', { domain: p.name });
		const { rows, addressBook } = parsePage('the records of a name', 'records', answer);
		const format = addressFormatter(addressBook, false);
		const record = rows
			.map((row) => Answer.parse('a record of a name', row))
			.find(isOfName(p.name));
		const read = (key: string) => {
			const found = record?.readOptional(key, parseTonAccount) ?? null;
			return found && format(found);
		};
		yield { name: p.name, address: read('dns_wallet'), owner: read('nft_item_owner') };
	},
});

/** Creates a check that a record belongs to the wanted name. It throws for the record of another name. */
function isOfName(wanted: string) {
	return (record: Answer): boolean => {
		const domain = record.read('domain', trimText);
		return domain.toLowerCase() === wanted
			? true
			: record.throwInvalid('domain', 'the name that was asked for', domain);
	};
}

export const name = { name: 'Name', operations: { resolve } };
