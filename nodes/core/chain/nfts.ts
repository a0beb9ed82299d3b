import { abiWith } from '../abi/abi';
import { encodeCall, functionOf } from '../abi/call';
import { RequestFailure } from '../errors/requestFailure';
import type { ChainReader } from '../rpc/chain';

export type NftStandard = 'ERC-721' | 'ERC-1155';
