import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';
import {
	catching,
	InvalidInput,
	InvalidValue,
	listParser,
	parseText,
	unitsParser,
	type Parse,
	raise,
} from '../../nodes/core';
import { depositRuleFields } from '../credentials/depositRules';
import { FAMILIES_OF_KEYS, ruleFields } from '../credentials/families';

/** Parses one rule of a credential. Throws a refusal with the rule's name if it cannot be read. */
export type ParseRule = <T>(name: string, parse: Parse<T>) => T;

/** The fields are those of the credential's form: they have the labels and the defaults. */
export function createRuleParser(
	credential: ICredentialDataDecryptedObject,
	fields: readonly INodeProperties[] = ruleFields,
): ParseRule {
	return (name, parse) => {
		const field = fields.find((one) => one.name === name);
		const value = catching(InvalidValue, () => parse(getRule(name, credential, field)));
		if (!(value instanceof InvalidValue)) return value;
		throw new InvalidInput(
			`The rule ${field?.displayName ?? name} of the credential can't be read: it must be ${value.message}`,
			'As long as it is unclear what is allowed, nothing is signed.',
		);
	};
}

/** Gets the value of a rule. A missing rule of an older credential gets its default. An empty result of an expression is refused. */
function getRule(
	name: string,
	credential: ICredentialDataDecryptedObject,
	field: INodeProperties | undefined,
): unknown {
	if (!Object.hasOwn(credential, name)) return field?.default;
	return (
		credential[name] ??
		raise(
			new InvalidValue(
				'a value, but its expression gives none. To leave the field empty, change the expression so that it gives empty text',
			),
		)
	);
}

/** Returns the label of a rule, which is the same in all credentials that have it. */
export function getRuleLabel(name: string): string {
	const forms = Object.values(FAMILIES_OF_KEYS);
	const fields = [
		...forms.flatMap((form) => [...form.fields, ...form.otherSignatures]),
		...depositRuleFields,
	];
	return fields.find((field) => field.name === name)?.displayName ?? name;
}

/** Empty text means no coins. */
export function coinsParser(decimals: number): Parse<bigint> {
	const read = unitsParser(decimals);
	return (given) => (parseText(given) === '' ? 0n : read(given));
}

/** Accepts only text. An empty JSON list is refused, because an empty rule may allow everything. */
export function parseListText(given: unknown): string {
	const text = parseText(given);
	return text.startsWith('[')
		? raise(new InvalidValue('a list separated by commas or blanks, without brackets'))
		: text;
}

export function optionalListParser<T>(read: Parse<T>): Parse<readonly T[]> {
	const list = listParser(read);
	return (given) => {
		const text = parseListText(given);
		if (text === '') return [];
		const entries = list(text);
		return entries.length > 0 ? entries : raise(new InvalidValue(EXPECTED_ENTRY));
	};
}

export const EXPECTED_ENTRY = 'a list of at least one entry, or empty';

/** Parses the choices that the user made in a menu of the form. */
export function choicesParser<Choice extends string>(
	options: ReadonlyArray<{ readonly value: Choice }>,
): Parse<readonly Choice[]> {
	const known = options.map(({ value }) => value);
	return (given) => {
		const chosen: readonly unknown[] = given === '' ? [] : Array.isArray(given) ? given : [given];
		return chosen.map(
			(one) =>
				known.find((value) => value === one) ??
				raise(new InvalidValue(`one or more of ${known.join(', ')}`)),
		);
	};
}
