import type {
	IDisplayOptions,
	INodePropertyMode,
	INodePropertyTypeOptions,
	IParameterBuilderHint,
} from 'n8n-workflow';
import type { Parse } from '../values/parse';

/** The values of other fields for which a field is shown and read. */
export type Show = Readonly<Record<string, ReadonlyArray<string | boolean | number>>>;

interface FieldChoice {
	readonly name: string;
	readonly value: string;
	readonly description?: string;
}

interface FieldGroup {
	readonly name: string;
	readonly displayName: string;
	readonly values: readonly Field[];
}

interface FieldBase {
	readonly displayName: string;
	readonly name: string;
	readonly default: unknown;
	readonly description?: string;
	readonly hint?: string;
	/** A hint for n8n's builder. n8n loads no node with such a hint on a menu of resources, operations or modes. */
	readonly builderHint?: IParameterBuilderHint;
	readonly placeholder?: string;
	readonly noDataExpression?: boolean;
	readonly required?: boolean;
	readonly typeOptions?: INodePropertyTypeOptions;
	readonly show?: Show;
	/**
	 * n8n's condition for hiding the field. n8n then drops its value, and the default is read. No condition is a regular
	 * expression: n8n gives one a quarter of a second, on a machine that may be busy, and then fails the run.
	 */
	readonly hide?: IDisplayOptions['hide'];
	/** n8n's further conditions for drawing the field. Where they are not met, n8n drops its value, and the default is read. */
	readonly draw?: IDisplayOptions['show'];
	/** Replaces the parser of the type. */
	readonly parse?: Parse;
}

/** An n8n property and how to read it. */
export type Field = FieldBase &
	(
		| {
				readonly type:
					| 'string'
					| 'number'
					| 'boolean'
					| 'json'
					| 'dateTime'
					| 'resourceMapper'
					/** n8n keeps what is stored under the name of a hidden field, and drops that of one whose `show` is not met. */
					| 'hidden';
		  }
		| { readonly type: 'options' | 'multiOptions'; readonly options: readonly FieldChoice[] }
		| { readonly type: 'resourceLocator'; readonly modes: readonly INodePropertyMode[] }
		| { readonly type: 'collection'; readonly options: readonly Field[] }
		| { readonly type: 'fixedCollection'; readonly options: readonly [FieldGroup] }
	);

type ParsedValue<F extends Field> = F extends { readonly parse: Parse<infer Value> }
	? Value
	: F extends { readonly type: 'boolean' }
		? boolean
		: F extends { readonly type: 'number' }
			? number
			: F extends { readonly type: 'options'; readonly options: readonly FieldChoice[] }
				? F['options'][number]['value']
				: F extends { readonly type: 'multiOptions'; readonly options: readonly FieldChoice[] }
					? Array<F['options'][number]['value']>
					: F extends { readonly type: 'collection'; readonly options: readonly Field[] }
						? Partial<Params<F['options']>>
						: F extends {
									readonly type: 'fixedCollection';
									readonly options: readonly [FieldGroup];
							  }
							? Array<Params<F['options'][0]['values']>>
							: string;

/** The values of fields by name; undefined while hidden. Fields whose names are not known before run time may have any. */
export type Params<Fields extends readonly Field[]> = {
	readonly [F in Fields[number] as F['name']]: string extends F['name']
		? unknown
		: F extends { readonly show: object }
			? ParsedValue<F> | undefined
			: ParsedValue<F>;
};
