import { grpc } from './client';
import { limits, options } from './fields';

export const listServices = grpc({
	name: 'List Services',
	action: 'List services',
	description: 'Get the services that the endpoint offers',
	fields: [options],
	request: (p) => ({ ask: 'services', ...limits(p.options) }),
	answer: (names) => names as readonly string[],
	items: (names) => names.map((service) => ({ service })),
});
