import type { FastifyInstance } from 'fastify';
import { noQuery } from '../../http/schemas.mts';
import {
	type TronWeb,
	parseAccount,
	formatAccount,
	formatResources,
	loadTronWeb,
} from './accounts.mts';
import { addRead } from './readRoute.mts';
import { type Clock, getHeadNumber, getSolidNumber } from './blocks.mts';
import { CHAIN_READS, PENDING_READS } from './chainReads.mts';
import * as schemas from './schemas.mts';
import type { Wallet, WalletState } from './state.mts';

/**
 * Adds the routes for accounts, transactions, blocks and witnesses. Routes below `walletsolidity/` show only
 * irreversible blocks.
 */
export function addReadRoutes(app: FastifyInstance, state: WalletState): void {
	addAccountRoutes(app, state);
	addViewRoutes(app, state, '/wallet', getHeadNumber, { ...CHAIN_READS, ...PENDING_READS });
	addViewRoutes(app, state, '/walletsolidity', getSolidNumber, CHAIN_READS);
	app.post<{ Querystring: { visible?: string } }>(
		'/wallet/listwitnesses',
		{ schema: { body: schemas.optionalBody, querystring: schemas.listQuery } },
		async ({ query }) => ({
			witnesses: formatWitnesses(state.wallet, query.visible === 'true', await loadTronWeb()),
		}),
	);
}

/** Adds the routes for one view of the chain. The view ends at the newest block that it shows. */
function addViewRoutes(
	app: FastifyInstance,
	state: WalletState,
	path: string,
	getEnd: (clock: Clock) => number,
	reads: typeof CHAIN_READS,
): void {
	for (const [method, { body, answer }] of Object.entries(reads)) {
		const answerNow = async (given: object) => {
			const view = { wallet: state.wallet, end: getEnd(state.wallet.clock) };
			return answer(view, given, await loadTronWeb());
		};
		addRead(app, state, `${path}/${method}`, body, answerNow);
		if (path === '/wallet' && method === 'getnowblock')
			app.get(`${path}/${method}`, { schema: { querystring: noQuery } }, () => answerNow({}));
	}
}

interface AccountBody {
	address: string;
	visible?: boolean;
}

function addAccountRoutes(app: FastifyInstance, state: WalletState): void {
	const answerAccount = async ({ address, visible = false }: AccountBody) => {
		const tronWeb = await loadTronWeb();
		const account = parseAccount(address, visible, tronWeb);
		return formatAccount(account, address, state.wallet, tronWeb, visible);
	};
	const answerResources = async ({ address, visible = false }: AccountBody) => {
		const tronWeb = await loadTronWeb();
		return formatResources(parseAccount(address, visible, tronWeb), state.wallet, tronWeb);
	};
	addRead(app, state, '/wallet/getaccount', schemas.accountBody, answerAccount);
	addRead(app, state, '/walletsolidity/getaccount', schemas.accountBody, answerAccount);
	addRead(app, state, '/wallet/getaccountresource', schemas.accountBody, answerResources);
}

/** Formats the witnesses with their counted votes. As on the real chain, fields that are zero or false are missing. */
const formatWitnesses = ({ witnesses, votes }: Wallet, visible: boolean, tronWeb: TronWeb) =>
	witnesses.map((witness) => {
		const { address } = witness;
		const cast = [...votes.values()].reduce((sum, own) => sum + (own.get(address) ?? 0), 0);
		const fields = Object.entries({ ...witness, voteCount: witness.voteCount + cast });
		const shown = visible ? tronWeb.utils.address.fromHex(address) : address;
		return { ...Object.fromEntries(fields.filter(([, value]) => value)), address: shown };
	});
