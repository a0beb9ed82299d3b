import type { FastifyInstance } from 'fastify';
import { counted, type FaucetSettings } from '../rooms/faucet/state.mts';
import type { TonSettings } from '../rooms/ton/settings.mts';
import type { WalletSettings } from '../rooms/wallet/state.mts';
import type { SandboxState } from '../state.mts';
import * as schemas from './serviceSchemas.mts';

/** Pins, faucet, witness wallet and TON: what they do, and what they have done. */
export function serviceRoutes(app: FastifyInstance, state: SandboxState): void {
	app.get('/pins', async () => state.pins.stored);
	app.get('/faucet', async () => counted(state.faucet.payments));
	app.get('/wallet', async () => state.wallet.broadcast);

	setting<{ maxBytes: number }>('/pins', schemas.pins, ({ maxBytes }) => {
		state.pins.maxBytes = maxBytes;
	});
	setting<FaucetSettings>('/faucet', schemas.faucet, (settings) => {
		state.faucet.settings = settings;
	});
	setting<WalletSettings>('/wallet', schemas.wallet, (settings) => {
		state.wallet.settings = settings;
	});
	setting<TonSettings>('/ton', schemas.ton, (settings) => {
		state.ton = settings;
	});

	function setting<Settings>(url: string, body: object, apply: (settings: Settings) => void) {
		app.put(url, { schema: { body } }, async (request) => {
			apply(request.body as Settings);
			return request.body;
		});
	}
}
