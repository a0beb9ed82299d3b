import { service } from '../core/fields';
import { schemaFields, schemaOf } from '../core/schema';
import { grpc } from './client';
import { options, settingsOf } from './options';

export const describe = grpc({
	name: 'Describe',
	action: 'Describe a gRPC service',
	description: 'Get the methods of a service with the fields of their requests and responses',
	fields: [...schemaFields, service, options],
	request: (p) => ({
		ask: 'describe',
		schema: schemaOf(p),
		service: p.service,
		...settingsOf(p.options),
	}),
	answer: (methods) => methods as readonly object[],
	items: (methods) => methods,
});
