import { getAll } from './getAll';
import { prepare } from './prepare/prepare';
import { send } from './send';
import { wait } from './wait';

export const transaction = { name: 'Transaction', operations: { getAll, prepare, send, wait } };
