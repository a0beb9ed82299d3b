import { createLag, type LagState } from './apis/evm/lag.mts';
import { createSearchSettings, type SearchState } from './apis/evm/searches.mts';
import { createFaucet, type FaucetState } from './apis/faucet.mts';
import { createGrpc, type GrpcState } from './apis/grpc/settings.mts';
import { createPins, type PinState } from './apis/pins/store.mts';
import { createTonChain, type TonChainState } from './apis/ton/chainState.mts';
import { createStark, type StarkState } from './apis/stark/settings.mts';
import { createTonSettings, type TonState } from './apis/ton/tonApi.mts';
import { createSockets, setSilence, type SocketState } from './apis/webSocket/settings.mts';
import { createWallet, type WalletState } from './apis/witness/state.mts';
import type { FaultState } from './http/faults.mts';
import type { LimitState } from './http/limits.mts';
import type { RecordState } from './http/recording.mts';
import type { LatencyState } from './http/server.mts';
import type { RpcState } from './jsonRpc/answers.mts';
import { createBatchSettings } from './jsonRpc/batches.mts';

/** The APIs of the node that can be switched off. */
export const API_NAMES = ['evm', 'root', 'wallet', 'ton'] as const;

export type ApiName = (typeof API_NAMES)[number];

/** The state of the sandbox. The control server changes it, and all other servers read the same object. */
export interface SandboxState
	extends RecordState,
		LatencyState,
		FaultState,
		LimitState,
		RpcState,
		SearchState,
		LagState,
		SocketState,
		PinState,
		FaucetState,
		WalletState,
		TonState,
		TonChainState,
		StarkState,
		GrpcState {
	/** The APIs of the node that answer. The others answer 404. */
	serves: ApiName[];
}

const createCount = () => ({ answered: 0, refused: 0 });

export const createState = (): SandboxState => ({
	record: [],
	counts: { platform: createCount(), node: createCount(), grpc: createCount() },
	faults: [],
	latency: { platform: 0, node: 0 },
	limits: null,
	batches: createBatchSettings(),
	serves: [...API_NAMES],
	strictPaths: false,
	searches: createSearchSettings(),
	lag: createLag(),
	sockets: createSockets(),
	pins: createPins(),
	faucet: createFaucet(),
	wallet: createWallet(),
	ton: createTonSettings(),
	tonChain: createTonChain(),
	stark: createStark(),
	grpc: createGrpc(),
});

/** Resets everything in the state except the open connections. */
export function resetState(state: SandboxState): void {
	const grpc = createGrpc(state.grpc.open);
	const sockets = createSockets(state.sockets.open);
	Object.assign(state, createState(), { grpc, sockets });
	setSilence(sockets);
}
