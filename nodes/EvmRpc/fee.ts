import { hexString } from '../core/evm/chainObject';
import { path } from '../core/operation/sharedFields';
import { rpc } from '../core/protocols/rpc';
import { rpcOptions } from '../core/protocols/transportOptions';

const getMaxPriority = rpc({
	name: 'Get Max Priority Fee',
	action: 'Get the max priority fee',
	description: 'Get the priority fee per gas, 0x0 on chains that use none',
	fields: [path('/evm'), rpcOptions()],
	request: (p) => ({ path: p.path, method: 'eth_maxPriorityFeePerGas', params: [] }),
	answer: hexString('a fee as 0x-hex'),
});

export const fee = { name: 'Fee', operations: { getMaxPriority } };
