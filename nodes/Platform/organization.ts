import { restOptions } from '../core/operation/transportOptions';
import { recordParser } from '../core/net/responses/response';
import { restOperation } from '../core/protocols/rest';

const get = restOperation({
	name: 'Get',
	action: 'Get organization',
	description: 'Get the organization that owns the API key',
	fields: [restOptions()],
	request: () => ({ path: '/v1/organization/' }),
	answer: recordParser('an organization', 'id', 'name'),
});

export const organization = { name: 'Organization', operations: { get } };
