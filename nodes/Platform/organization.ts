import { recordWith } from '../core/answer';
import { restOptions } from '../core/options';
import { rest } from '../core/rest';

const get = rest({
	name: 'Get',
	action: 'Get the organization',
	description: 'Get the organization that owns the API key',
	fields: [restOptions()],
	request: () => ({ path: '/v1/organization/' }),
	answer: recordWith('an organization', 'id', 'name'),
});

export const organization = { name: 'Organization', operations: { get } };
