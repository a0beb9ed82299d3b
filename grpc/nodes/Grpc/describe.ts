import { grpc } from './client';
import { limits, options, service } from './fields';

export const describe = grpc({
	name: 'Describe',
	action: 'Describe a service',
	description: 'Get the methods of a service with the fields of their requests and responses',
	fields: [service, options],
	request: (p) => ({ ask: 'describe', service: p.service, ...limits(p.options) }),
	answer: (methods) => methods as readonly object[],
	items: (methods) => methods,
});
