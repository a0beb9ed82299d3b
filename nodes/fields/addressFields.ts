import type { Field } from '../core/operation/field';
import type { Parse } from '../core/values/parse';

/** Creates a function that makes required address fields for chains of one family, such as EVM chains. */
export function createAddressFields<Address>(placeholder: string, parse: Parse<Address>) {
	return <const Name extends string>(displayName: string, name: Name, description: string) =>
		({
			displayName,
			name,
			type: 'string',
			required: true,
			default: '',
			placeholder,
			description,
			parse,
		}) as const satisfies Field;
}
