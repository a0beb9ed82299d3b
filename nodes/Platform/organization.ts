import { restOptions } from '../core/operation/transportOptions';
import { recordParser } from '../core/transport/responses/response';
import { rest } from '../core/transport/rest/rest';

const get = rest({
	name: 'Get',
	action: 'Get the organization',
	description: 'Get the organization that owns the API key',
	fields: [restOptions()],
	request: () => ({ path: '/v1/organization/' }),
	answer: recordParser('an organization', 'id', 'name'),
});

export const organization = { name: 'Organization', operations: { get } };
