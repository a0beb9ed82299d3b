import {
	readStatedFields,
	SOMETHING_ELSE,
	catching,
	FAMILIES,
	InvalidValue,
	isSameField,
	otherwiseError,
	parseField,
	raise,
	type Family,
	type Parse,
	type StatedFields,
} from '../../../nodes/core';
import { buildItem, followSigned } from './behindSignature';
import { payOperation } from './client';
import { openFamily } from './family';
import { chain, signedTransaction, waitFor } from './fields';
import { finishOptions } from './options';
import { formatFacts } from './payment';

export const finish = payOperation({
	name: 'Finish',
	action: 'Finish unknown payment',
	description:
		'Complete a payment whose status is unknown: send the same signed transaction again if the chain does not have it, and wait. Nothing new is signed, so nothing is paid twice.',
	builderHint: {
		propertyHint: 'Takes the item of pay whose `status` is unknown, at once or days later.',
	},
	fields: [chain, signedTransaction, waitFor, finishOptions],
	waits: true,
	async *run(p, context) {
		const family = openFamily(p.chain, context, p.options);
		const signed = family.parseSigned(p.signedTransaction);
		// If the amount and the receiver cannot be read, the transaction is still followed to its outcome.
		const reading = signed.read().catch(() => undefined);
		const said = readStatedFields(p.signedTransaction);
		const known = said && (await reading);
		if (said && known)
			checkStatedFields(said, p.chain, { ...signed.fields, ...formatFacts(known) });
		const [facts = SOMETHING_ELSE, settled] = await Promise.all([
			reading,
			followSigned(signed, { seconds: p.waitFor }),
		]);
		const item = buildItem(context, { paymentId: null, chain: p.chain, facts }, settled);
		// A signed transaction does not contain the index of a deposit address.
		yield { ...item, depositIndex: null };
	},
});

const ADDRESS_FIELDS = ['from', 'to', 'token'];

/** Refuses an item whose fields contradict its signed transaction. */
export function checkStatedFields(
	{ name, fields }: StatedFields,
	family: Family,
	signed: Readonly<Record<string, unknown>>,
): void {
	for (const [field, said] of Object.entries(fields)) {
		const value = signed[field] ?? undefined;
		const isIt = ADDRESS_FIELDS.includes(field)
			? isSameAddress(FAMILIES[family].spellAddress, said, value)
			: isSameField(field, said, value);
		if (!isIt)
			parseField('Signed Transaction', said, () => raise(otherwiseError(name, field, said, value)));
	}
}

function isSameAddress(spell: Parse<string>, said: unknown, signed: unknown): boolean {
	const [one, other] = [said, signed].map((address) =>
		catching(InvalidValue, () => spell(address)),
	);
	return typeof one === 'string' && one === other;
}
