import { get } from './get';
import { getByBlockHashAndIndex } from './getByBlockHashAndIndex';
import { getReceipt } from './getReceipt';
import { send } from './send';
import { wait } from './wait';

export const transaction = {
	name: 'Transaction',
	operations: { get, getByBlockHashAndIndex, getReceipt, send, wait },
};
