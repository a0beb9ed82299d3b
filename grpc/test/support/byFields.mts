import type { INodeParameters } from 'n8n-workflow';

export type Values = Readonly<Record<string, unknown>>;

/** Builds the parameters of a call whose request is given by fields. */
export const byFields = (value: Values | null, more: Values = {}) =>
	({
		requestBy: 'fields',
		requestFields: { mappingMode: 'defineBelow', value, ...more },
	}) as unknown as INodeParameters;
