import { hexString } from '../core/chain/evm';
import { path } from '../core/fields';
import { rpc } from '../core/jsonRpc';
import { rpcOptions } from '../core/options';

const getMaxPriority = rpc({
	name: 'Get Max Priority Fee',
	action: 'Get the max priority fee',
	description: 'Get the priority fee per gas, 0x0 on chains that use none',
	fields: [path('/evm'), rpcOptions()],
	request: (p) => ({ path: p.path, method: 'eth_maxPriorityFeePerGas', params: [] }),
	answer: hexString('a fee as 0x-hex'),
});

export const fee = { name: 'Fee', operations: { getMaxPriority } };
