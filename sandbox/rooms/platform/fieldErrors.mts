import type { FastifySchemaValidationError } from 'fastify';

/** Schema errors in the platform's form: `{"order_by": ["…"]}`. */
export function formatFieldErrors(
	errors: FastifySchemaValidationError[],
): Record<string, string[]> {
	const fields: Record<string, string[]> = {};
	for (const error of errors) (fields[getFieldName(error)] ??= []).push(formatSchemaError(error));
	return fields;
}

function getFieldName({ instancePath, params }: FastifySchemaValidationError): string {
	const field = params.additionalProperty ?? params.missingProperty ?? instancePath.slice(1);
	return String(field) || 'non_field_errors';
}

function formatSchemaError({
	keyword,
	params,
	message = '',
}: FastifySchemaValidationError): string {
	if (keyword === 'additionalProperties') return 'Unknown parameter.';
	if (keyword === 'required') return 'This field is required.';
	if (keyword === 'enum') return `Must be one of: ${[params.allowedValues].flat().join(', ')}.`;
	if (keyword === 'pattern') return 'A whole number from 1 is required.';
	return `The value ${message}.`;
}
