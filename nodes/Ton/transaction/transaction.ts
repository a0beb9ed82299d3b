import { getAll } from './getAll';

export const transaction = { name: 'Transaction', operations: { getAll } };
