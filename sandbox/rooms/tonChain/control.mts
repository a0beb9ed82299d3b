import type { FastifyInstance } from 'fastify';
import type { Deeds } from './deeds.mts';
import * as schemas from './controlSchemas.mts';
import type { TonChainSettings, TonChainState } from './state.mts';

interface State {
	readonly tonChain: TonChainState;
}

/** What is done on the chain, beside what the service's callers send. */
export function addTonChainRoutes(app: FastifyInstance, state: State): void {
	app.get('/ton/chain', async () => (await loadDeeds(state)).describe());
	app.put<{ Body: TonChainSettings }>(
		'/ton/chain',
		{ schema: { body: schemas.chain } },
		async ({ body }) => {
			state.tonChain.settings = body;
			return body;
		},
	);
	app.post<{ Body: { seconds: number } }>(
		'/ton/time',
		{ schema: { body: schemas.time } },
		async ({ body }) => {
			state.tonChain.aheadSeconds += body.seconds;
			return { ahead: state.tonChain.aheadSeconds };
		},
	);

	deed('/ton/pay', schemas.pay, 'pay');
	deed('/ton/mint', schemas.mint, 'mint');
	deed('/ton/jettons', schemas.jetton, 'createJetton');
	deed('/ton/nfts', schemas.nft, 'createNft');
	deed('/ton/names', schemas.name, 'createName');
	deed('/ton/step', schemas.step, 'step');
	deed('/ton/fail', schemas.failing, 'makeFail');
	deed('/ton/arrivals', schemas.arrivals, 'letArrive');

	function deed<Name extends Exclude<keyof Deeds, 'describe'>>(
		url: string,
		body: object,
		name: Name,
	) {
		app.post<{ Body: Parameters<Deeds[Name]>[0] }>(url, { schema: { body } }, async (request) => {
			const deeds: Pick<Deeds, Name> = await loadDeeds(state);
			const act = deeds[name] as (given: typeof request.body) => Promise<object>;
			return await act(request.body as Parameters<Deeds[Name]>[0]);
		});
	}
}

/** The machine comes with the first of them. */
async function loadDeeds({ tonChain }: State): Promise<Deeds> {
	const deeds = await import('./deeds.mts');
	return await deeds.loadDeeds(tonChain);
}
