import type { FastifyInstance, FastifyRequest, FastifySchemaValidationError } from 'fastify';

/** Creates the schema of an object that has only the given fields. */
export const closedObject = (properties: object, required: readonly string[] = []) => ({
	type: 'object',
	additionalProperties: false,
	required,
	properties,
});

/** Creates the same schema as `closedObject`, for APIs whose refusals name the expected value. */
export const describedObject = (properties: object, required?: readonly string[]) => ({
	...closedObject(properties, required),
	description: 'an object',
});

export const noQuery = closedObject({});

/** Adds a setting to the control server. A PUT replaces the whole setting, and missing fields take their defaults. */
export function addSetting<Settings>(
	app: FastifyInstance,
	path: string,
	body: object,
	apply: (settings: Settings) => void,
): void {
	app.put(path, { schema: { body } }, async (request) => {
		apply(request.body as Settings);
		return request.body;
	});
}

/** A schema error of ajv. With the option `verbose`, it has the failed value and its schema. */
interface SchemaError extends FastifySchemaValidationError {
	parentSchema?: { description?: string };
	data?: unknown;
}

/** Returns the first problem of a value as text, or undefined if the value fits the schema. */
export function findSchemaProblem(
	value: unknown,
	schema: object,
	request: FastifyRequest,
	name: string,
): string | undefined {
	const validate = request.compileValidationSchema(schema);
	if (validate(value)) return undefined;
	return formatSchemaErrors((validate.errors ?? []) as SchemaError[], name);
}

export function formatSchemaErrors(errors: SchemaError[], name: string): string {
	// The last error is the outermost one. Errors of `if` are left out, because they only say that a branch has failed.
	const error = errors.filter(({ keyword }) => keyword !== 'if').at(-1);
	if (!error) return `${name} is invalid`;
	const { keyword, params, message, parentSchema, data } = error;
	const where = name + error.instancePath.replace(/\/(\d+)/g, '[$1]').replace(/\//g, '.');
	if (keyword === 'additionalProperties') {
		return `${where} has an unknown field "${params.additionalProperty}"`;
	}
	if (keyword === 'required') return `${where} lacks "${params.missingProperty}"`;
	if (!parentSchema?.description) return `${where} ${message}`;
	return `${where} must be ${parentSchema.description}, got ${JSON.stringify(data).slice(0, 100)}`;
}
