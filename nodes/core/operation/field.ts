import type {
	IDisplayOptions,
	INodePropertyMode,
	INodePropertyTypeOptions,
	IParameterBuilderHint,
} from 'n8n-workflow';
import type { Parse } from '../values/parse';

/** The values that other fields must have for a field to be shown and read. */
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
	/**
	 * A hint for n8n's workflow builder. n8n fails to load a node with a hint on a menu of resources, operations or
	 * modes.
	 */
	readonly builderHint?: IParameterBuilderHint;
	readonly placeholder?: string;
	readonly noDataExpression?: boolean;
	readonly required?: boolean;
	readonly typeOptions?: INodePropertyTypeOptions;
	readonly show?: Show;
	/**
	 * A condition of n8n for hiding the field. n8n then drops the field's value, and the default is read. Regular
	 * expressions are not used in conditions, because n8n fails the run if one takes longer than a quarter of a second.
	 */
	readonly hide?: IDisplayOptions['hide'];
	/**
	 * Further conditions of n8n for showing the field. If they are not met, n8n drops the field's value, and the
	 * default is read.
	 */
	readonly draw?: IDisplayOptions['show'];
	/** A parser that replaces the parser of the field's type. */
	readonly parse?: Parse;
}

/** A property of an n8n node, with the parser of its value. */
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
					/**
					 * A field of type `hidden` keeps its stored value. In contrast, n8n drops the value of a field whose `show`
					 * condition is not met.
					 */
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

/**
 * The values of fields by name. A value is undefined if its field is not shown. If TypeScript knows a field's name only
 * as `string`, the value has the type `unknown`.
 */
export type Params<Fields extends readonly Field[]> = {
	readonly [F in Fields[number] as F['name']]: string extends F['name']
		? unknown
		: F extends { readonly show: object }
			? ParsedValue<F> | undefined
			: ParsedValue<F>;
};
