import type { FastifyInstance } from 'fastify';
import { addSetting } from '../../http/schemas.mts';
import type { ChainActions } from './chainActions.mts';
import * as schemas from './chainSchemas.mts';
import type { TonChainSettings, TonChainState } from './chainState.mts';

/** Adds the settings of the TON chain to the control server, and the requests that act on the chain directly. */
export function addTonChainControl(app: FastifyInstance, state: TonChainState): void {
	app.get('/ton/chain', async () => (await loadActions(state)).describe());
	addSetting<TonChainSettings>(app, '/ton/chain', schemas.chain, (settings) => {
		state.tonChain.settings = settings;
	});
	/** Moves the chain's clock on. */
	app.post<{ Body: { seconds: number } }>(
		'/ton/time',
		{ schema: { body: schemas.time } },
		async ({ body }) => {
			state.tonChain.aheadSeconds += body.seconds;
			return { ahead: state.tonChain.aheadSeconds };
		},
	);
	addAction('/ton/pay', schemas.pay, 'pay');
	addAction('/ton/mint', schemas.mint, 'mint');
	addAction('/ton/jettons', schemas.jetton, 'createJetton');
	addAction('/ton/nfts', schemas.nft, 'createNft');
	addAction('/ton/names', schemas.name, 'createName');
	addAction('/ton/step', schemas.step, 'step');
	addAction('/ton/fail', schemas.failing, 'makeFail');
	addAction('/ton/arrivals', schemas.arrivals, 'letArrive');

	function addAction<Name extends Exclude<keyof ChainActions, 'describe'>>(
		url: string,
		body: object,
		name: Name,
	) {
		app.post<{ Body: Parameters<ChainActions[Name]>[0] }>(
			url,
			{ schema: { body } },
			async (request) => {
				const actions: Pick<ChainActions, Name> = await loadActions(state);
				const act = actions[name] as (given: typeof request.body) => Promise<object>;
				return await act(request.body as Parameters<ChainActions[Name]>[0]);
			},
		);
	}
}

/** Loads the actions on the chain. The first of them also loads the virtual machine. */
async function loadActions({ tonChain }: TonChainState): Promise<ChainActions> {
	const actions = await import('./chainActions.mts');
	return await actions.loadChainActions(tonChain);
}
