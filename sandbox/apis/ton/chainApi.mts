import type { FastifyError, FastifyPluginCallback } from 'fastify';
import {
	SEED_BLOCK,
	SEED_SECONDS,
	type TonChain,
	type TonChainState,
	WHOLE_SHARD,
} from './chainState.mts';
import type { MethodBody, RpcBody } from './chainService.mts';

export const READS = [
	'walletInformation',
	'addressInformation',
	'walletStates',
	'accountStates',
	'transactions',
	'transactionsByMessage',
	'traces',
	'jetton/masters',
	'jetton/wallets',
	'jetton/transfers',
	'nft/items',
	'dns/records',
];

/**
 * Serves the chain of TON. Its virtual machine has megabytes of code, and the chain takes a second to create, so the
 * first request loads both.
 */
const loadService = async () => await import('./chainService.mts');

export const tonChainApi =
	(state: TonChainState): FastifyPluginCallback =>
	(app, _options, done) => {
		app.setErrorHandler<FastifyError & { status?: number }>((error, _request, reply) =>
			reply.code(error.status ?? getStatus(error)).send({ error: error.message }),
		);
		for (const name of READS) {
			app.get(`/api/v3/${name}`, async ({ query, headers }) => {
				const service = await loadService();
				return await service.answerRead(state.tonChain, {
					name,
					query,
					withoutBook: headers['x-no-address-book'] === 'true',
					withoutMetadata: headers['x-no-metadata'] === 'true',
				});
			});
		}
		app.post<{ Body: { boc?: unknown } | undefined }>('/api/v3/message', async ({ body }) => {
			const service = await loadService();
			const ledger = await service.loadLedger(state.tonChain);
			return await service.sendMessage(ledger, body ?? {}, state.tonChain.settings.hold);
		});
		app.post<{ Body: MethodBody | undefined }>('/api/v3/runGetMethod', async ({ body }) => {
			const service = await loadService();
			const ledger = await service.loadLedger(state.tonChain);
			return await service.runGetMethod(ledger, body ?? {});
		});
		void app.register(version2Api(state));
		app.get('/api/v3/masterchainInfo', async () => await getMasterchainInfo(state.tonChain));
		done();
	};

/** Serves version 2 of the API. Its answers and errors have their own form, and the body names the method. */
const version2Api =
	(state: TonChainState): FastifyPluginCallback =>
	(app, _options, done) => {
		app.setErrorHandler<FastifyError & { status?: number }>((error, _request, reply) => {
			const code = error.status ?? getStatus(error);
			return reply.code(code).send({ ok: false, error: error.message, code });
		});
		app.post<{ Body: (RpcBody & { id?: unknown }) | undefined }>(
			'/api/v2/jsonRPC',
			async ({ body }) => {
				const service = await loadService();
				const view = await service.loadView(state.tonChain);
				const { hold } = state.tonChain.settings;
				const result = await service.answerVersion2(view, body ?? {}, hold);
				return { ok: true, result, jsonrpc: '2.0', id: body?.id ?? null };
			},
		);
		done();
	};

const getStatus = ({ statusCode = 500 }: FastifyError) => (statusCode < 500 ? 422 : 500);

/** Returns the first and the newest block. Before the chain is first used, the newest block is `SEED_BLOCK`. */
export async function getMasterchainInfo({ ledger }: TonChain): Promise<object> {
	const chain = await ledger;
	return {
		first: buildBlock(1, SEED_SECONDS),
		last: buildBlock(chain?.head ?? SEED_BLOCK, chain?.now ?? SEED_SECONDS),
	};
}

const buildBlock = (seqno: number, seconds: number) => ({
	workchain: -1,
	shard: WHOLE_SHARD,
	seqno,
	gen_utime: String(seconds),
	global_id: -3,
});
