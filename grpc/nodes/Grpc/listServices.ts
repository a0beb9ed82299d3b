import { schemaFields, schemaOf } from '../core/schema';
import { grpc } from './client';
import { options, settingsOf } from './options';

export const listServices = grpc({
	name: 'List Services',
	action: 'List gRPC services',
	description: 'Get the services that the endpoint offers',
	fields: [...schemaFields, options],
	request: (p) => ({ ask: 'services', schema: schemaOf(p), ...settingsOf(p.options) }),
	answer: (names) => names as readonly string[],
	items: (names) => names.map((service) => ({ service })),
});
