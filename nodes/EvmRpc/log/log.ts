import { getAll } from './getAll';

export const log = { name: 'Log', operations: { getAll } };
