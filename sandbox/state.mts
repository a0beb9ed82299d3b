import type { ApiName, LimitedServer, ServerName } from './names.mts';
import { createLagState, type LagState } from './chain/lag.mts';
import { type FaucetState, createFaucetState } from './rooms/faucet/state.mts';
import { createGrpcState, type GrpcState } from './rooms/grpc/state.mts';
import { createPinState, type PinState } from './rooms/pins/store.mts';
import { createSearchSettings, type SearchSettings } from './rooms/evm/searches.mts';
import { createSocketState, setSilence, type SocketState } from './rooms/sockets/state.mts';
import { createTonSettings, type TonSettings } from './rooms/ton/settings.mts';
import { createTonChainState, type TonChainState } from './rooms/tonChain/state.mts';
import { createWalletState, type WalletState } from './rooms/wallet/state.mts';
import type { BatchSettings } from './rpc/batches.mts';
import type { FaultRule } from './wire/faults.mts';
import type { Limits } from './wire/limits.mts';
import type { RecordEntry } from './wire/record.mts';

/** What the control room sets and the other rooms obey; one object that all of them share. */
export interface SandboxState {
	record: RecordEntry[];
	counts: Record<LimitedServer, { answered: number; refused: number }>;
	faults: FaultRule[];
	latency: Record<ServerName, number>;
	limits: Limits | null;
	batches: BatchSettings;
	serves: ApiName[];
	strictPaths: boolean;
	searches: SearchSettings;
	lag: LagState;
	sockets: SocketState;
	pins: PinState;
	faucet: FaucetState;
	wallet: WalletState;
	ton: TonSettings;
	tonChain: TonChainState;
	grpc: GrpcState;
}

const createCount = () => ({ answered: 0, refused: 0 });

export const createState = (): SandboxState => ({
	record: [],
	counts: { platform: createCount(), node: createCount(), grpc: createCount() },
	faults: [],
	latency: { platform: 0, node: 0 },
	limits: null,
	batches: { refuse: null, max: 1, order: null, drop: [], duplicate: [], fail: [] },
	serves: ['evm', 'root', 'wallet', 'ton'],
	strictPaths: false,
	searches: createSearchSettings(),
	lag: createLagState(),
	sockets: createSocketState(),
	pins: createPinState(),
	faucet: createFaucetState(),
	wallet: createWalletState(),
	ton: createTonSettings(),
	tonChain: createTonChainState(),
	grpc: createGrpcState(),
});

export function resetState(state: SandboxState): void {
	const grpc = createGrpcState(state.grpc.open);
	const sockets = createSocketState(state.sockets.open);
	Object.assign(state, createState(), { grpc, sockets });
	setSilence(sockets);
}
