import type { INodeType } from 'n8n-workflow';
import { Grpc } from '../../grpc/nodes/Grpc/Grpc.node';
import { GrpcTrigger } from '../../grpc/nodes/GrpcTrigger/GrpcTrigger.node';
import { ActivityTrigger } from '../../nodes/ActivityTrigger/ActivityTrigger.node';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { EvmRpcTrigger } from '../../nodes/EvmRpcTrigger/EvmRpcTrigger.node';
import { Faucet } from '../../nodes/Faucet/Faucet.node';
import { IpfsPin } from '../../nodes/IpfsPin/IpfsPin.node';
import { L2Simulate } from '../../nodes/L2Simulate/L2Simulate.node';
import { Platform } from '../../nodes/Platform/Platform.node';
import { Stark } from '../../nodes/Stark/Stark.node';
import { StarkTrigger } from '../../nodes/StarkTrigger/StarkTrigger.node';
import { Ton } from '../../nodes/Ton/Ton.node';
import { TonFee } from '../../nodes/TonFee/TonFee.node';
import { TonTrigger } from '../../nodes/TonTrigger/TonTrigger.node';
import { Trace } from '../../nodes/Trace/Trace.node';
import { Utilities } from '../../nodes/Utilities/Utilities.node';
import { WitnessWallet } from '../../nodes/WitnessWallet/WitnessWallet.node';
import { WitnessWalletTrigger } from '../../nodes/WitnessWalletTrigger/WitnessWalletTrigger.node';
import { Pay } from '../../signer/nodes/Pay/Pay.node';
import { Signer } from '../../signer/nodes/Signer/Signer.node';

/** All nodes of all packages. Each of them has a page in the documentation. */
export const NODES: readonly INodeType[] = [
	new ActivityTrigger(),
	new EvmRpc(),
	new EvmRpcTrigger(),
	new Faucet(),
	new Grpc(),
	new GrpcTrigger(),
	new IpfsPin(),
	new L2Simulate(),
	new Pay(),
	new Platform(),
	new Signer(),
	new Stark(),
	new StarkTrigger(),
	new Ton(),
	new TonFee(),
	new TonTrigger(),
	new Trace(),
	new Utilities(),
	new WitnessWallet(),
	new WitnessWalletTrigger(),
];

export function getNode(name: string): INodeType {
	const found = NODES.find(({ description }) => description.name === name);
	if (!found) throw new Error(`There is no node "${name}"`);
	return found;
}
