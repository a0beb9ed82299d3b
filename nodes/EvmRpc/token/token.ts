import { get } from './get';
import { getBalance } from './getBalance';
import { getTransfers } from './getTransfers';

export const token = { name: 'Token', operations: { get, getBalance, getTransfers } };
