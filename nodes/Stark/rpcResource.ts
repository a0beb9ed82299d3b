import { rpcRequestOperation } from '../fields/rpcRequest';
import { path } from './fields';

export const rpcResource = {
	name: 'RPC',
	operations: { request: rpcRequestOperation('starknet_blockNumber', path) },
};
