import { recordWith } from '../core/answers/answer';
import { restOptions } from '../core/protocols/transportOptions';
import { rest } from '../core/protocols/rest';

const get = rest({
	name: 'Get',
	action: 'Get the organization',
	description: 'Get the organization that owns the API key',
	fields: [restOptions()],
	request: () => ({ path: '/v1/organization/' }),
	answer: recordWith('an organization', 'id', 'name'),
});

export const organization = { name: 'Organization', operations: { get } };
