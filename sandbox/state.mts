import type { ApiName, LimitedRoom, RoomName } from './names.mts';
import { freshLag, type LagState } from './chain/lag.mts';
import { type FaucetState, freshFaucet } from './rooms/faucet/state.mts';
import { freshGrpc, type GrpcState } from './rooms/grpc/state.mts';
import { freshPins, type PinState } from './rooms/pins/store.mts';
import { freshSearches, type SearchSettings } from './rooms/evm/searches.mts';
import { freshSockets, setSilence, type SocketState } from './rooms/sockets/state.mts';
import { freshTon, type TonSettings } from './rooms/ton/settings.mts';
import { freshWallet, type WalletState } from './rooms/wallet/state.mts';
import type { BatchSettings } from './rpc/batches.mts';
import type { FaultRule } from './wire/faults.mts';
import type { Limits } from './wire/limits.mts';
import type { RecordEntry } from './wire/record.mts';

/** What the control room sets and the other rooms obey; one object that all of them share. */
export interface SandboxState {
	record: RecordEntry[];
	counts: Record<LimitedRoom, { answered: number; refused: number }>;
	faults: FaultRule[];
	latency: Record<RoomName, number>;
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
	grpc: GrpcState;
}

const uncounted = () => ({ answered: 0, refused: 0 });

export const freshState = (): SandboxState => ({
	record: [],
	counts: { platform: uncounted(), node: uncounted(), grpc: uncounted() },
	faults: [],
	latency: { platform: 0, node: 0 },
	limits: null,
	batches: { refuse: null, max: 1, order: null, drop: [], duplicate: [], fail: [] },
	serves: ['evm', 'root', 'wallet', 'ton'],
	strictPaths: false,
	searches: freshSearches(),
	lag: freshLag(),
	sockets: freshSockets(),
	pins: freshPins(),
	faucet: freshFaucet(),
	wallet: freshWallet(),
	ton: freshTon(),
	grpc: freshGrpc(),
});

export function reset(state: SandboxState): void {
	const grpc = freshGrpc(state.grpc.open);
	const sockets = freshSockets(state.sockets.open);
	Object.assign(state, freshState(), { grpc, sockets });
	setSilence(sockets);
}
