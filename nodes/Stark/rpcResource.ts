import { rpcRequestOperation } from '../fields/rpcRequest';

export const rpcResource = {
	name: 'RPC',
	operations: { request: rpcRequestOperation('starknet_blockNumber') },
};
