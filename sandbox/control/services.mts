import type { FastifyInstance } from 'fastify';
import { countPayments, type FaucetSettings } from '../rooms/faucet/state.mts';
import { dropAll } from '../rooms/grpc/relay.mts';
import type { GrpcSettings } from '../rooms/grpc/state.mts';
import type { TonSettings } from '../rooms/ton/settings.mts';
import { changePace } from '../rooms/wallet/blocks.mts';
import type { WalletSettings } from '../rooms/wallet/state.mts';
import type { SandboxState } from '../state.mts';
import * as schemas from './serviceSchemas.mts';

/** Pins, faucet, witness wallet, TON and gRPC: what they do, and what they have done. */
export function addServiceRoutes(app: FastifyInstance, state: SandboxState): void {
	app.get('/pins', async () => state.pins.stored);
	app.get('/faucet', async () => countPayments(state.faucet.payments));
	app.get('/wallet', async () => state.wallet.broadcast);
	app.get('/grpc', async () => {
		const { calls, connections, open } = state.grpc;
		return { calls, connections, openConnections: open.size };
	});
	app.post('/grpc/drop', async () => {
		const dropped = state.grpc.open.size;
		dropAll(state.grpc.open);
		return { dropped };
	});

	setting<{ maxBytes: number }>('/pins', schemas.pins, ({ maxBytes }) => {
		state.pins.maxBytes = maxBytes;
	});
	setting<FaucetSettings>('/faucet', schemas.faucet, (settings) => {
		state.faucet.settings = settings;
	});
	setting<WalletSettings>('/wallet', schemas.wallet, (settings) => {
		state.wallet.settings = settings;
		state.wallet.clock = changePace(state.wallet.clock, settings.blockTime);
	});
	setting<TonSettings>('/ton', schemas.ton, (settings) => {
		state.ton = settings;
	});
	setting<GrpcSettings>('/grpc', schemas.grpc, (settings) => {
		state.grpc.settings = settings;
	});

	function setting<Settings>(url: string, body: object, apply: (settings: Settings) => void) {
		app.put(url, { schema: { body } }, async (request) => {
			apply(request.body as Settings);
			return request.body;
		});
	}
}
