import type { FastifyInstance } from 'fastify';
import { noQuery } from '../../http/schemas.mts';
import {
	type TronWeb,
	parseAccount,
	formatAccount,
	formatResources,
	loadTronWeb,
} from './accounts.mts';
import {
	buildBlock,
	type Clock,
	getHeadNumber,
	getSolidNumber,
	getBlockTimestamp,
} from './blocks.mts';
import * as schemas from './schemas.mts';
import type { Broadcast, Wallet, WalletState } from './state.mts';

/** Serves accounts, transactions, blocks and witnesses; below `walletsolidity/` stands what is irreversible. */
export function addReadRoutes(app: FastifyInstance, state: WalletState): void {
	addAccountRoutes(app, state);
	addTransactionRoutes(app, state);
	addBlockRoutes(app, state);
	app.post<{ Querystring: { visible?: string } }>(
		'/wallet/listwitnesses',
		{ schema: { body: schemas.optionalBody, querystring: schemas.listQuery } },
		async ({ query }) => ({
			witnesses: formatWitnesses(state.wallet, query.visible === 'true', await loadTronWeb()),
		}),
	);
}

/** Adds a route without query; what is irreversible is not found where it is not served. */
function addRead<Body>(
	app: FastifyInstance,
	state: WalletState,
	path: string,
	body: object,
	answer: (body: Body) => unknown,
): void {
	app.post(path, { schema: { body, querystring: noQuery } }, async (request, reply) =>
		path.startsWith('/walletsolidity') && !state.wallet.settings.solidified
			? reply.callNotFound()
			: await answer(request.body as Body),
	);
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

function addTransactionRoutes(app: FastifyInstance, state: WalletState): void {
	const findBroadcast = (txid: string) =>
		state.wallet.broadcast.find((one) => one.txid === txid.toLowerCase());
	const findUpTo = (getNumber: (clock: Clock) => number) => (txid: string) => {
		const found = findBroadcast(txid);
		return found && found.block <= getNumber(state.wallet.clock) ? found : undefined;
	};
	const findIncluded = findUpTo(getHeadNumber);
	const findSolid = findUpTo(getSolidNumber);
	const formatPending = (txid: string) =>
		(findIncluded(txid) ? undefined : findBroadcast(txid)?.transaction) ?? {};
	const formatFoundInfo = (found?: Broadcast) => (found ? formatInfo(found, state.wallet) : {});

	for (const [path, answer] of [
		['/wallet/gettransactionbyid', (txid: string) => formatTransaction(findIncluded(txid))],
		['/walletsolidity/gettransactionbyid', (txid: string) => formatTransaction(findSolid(txid))],
		['/wallet/gettransactionfrompending', formatPending],
		['/wallet/gettransactioninfobyid', (txid: string) => formatFoundInfo(findIncluded(txid))],
		['/walletsolidity/gettransactioninfobyid', (txid: string) => formatFoundInfo(findSolid(txid))],
	] as const) {
		addRead<{ value: string }>(app, state, path, schemas.transactionBody, ({ value }) =>
			answer(value),
		);
	}
}

function addBlockRoutes(app: FastifyInstance, state: WalletState): void {
	const buildBlockAt = (number: number) => {
		const { clock, broadcast, witnesses } = state.wallet;
		const own = broadcast.filter((one) => one.block === number).map(formatTransaction);
		return buildBlock(clock, number, witnesses[number % 27]?.address ?? '', own);
	};
	const buildHead = () => buildBlockAt(getHeadNumber(state.wallet.clock));
	const buildSolid = () => buildBlockAt(getSolidNumber(state.wallet.clock));
	addRead(app, state, '/wallet/getnowblock', schemas.optionalBody, buildHead);
	app.get('/wallet/getnowblock', { schema: { querystring: noQuery } }, async () => buildHead());
	addRead(app, state, '/walletsolidity/getnowblock', schemas.optionalBody, buildSolid);
	addRead<{ num: number }>(
		app,
		state,
		'/wallet/getblockbynum',
		schemas.blockNumberBody,
		({ num }) => (num <= getHeadNumber(state.wallet.clock) ? buildBlockAt(num) : {}),
	);
	addRead<{ detail?: boolean }>(
		app,
		state,
		'/wallet/getblock',
		schemas.blockBody,
		({ detail = false }) => {
			const { transactions, ...head } = buildHead();
			return detail && transactions ? { ...head, transactions } : head;
		},
	);
}

const formatTransaction = (found?: Broadcast) =>
	found ? { ret: [{ contractRet: found.outcome.result ?? 'SUCCESS' }], ...found.transaction } : {};

/** The chain prints what became of a transaction without zeros, and with words in hex. */
function formatInfo({ txid, block: number, outcome }: Broadcast, { clock }: Wallet) {
	const { fee, net_usage, net_fee, energy, energy_fee, result, returned, message } = outcome;
	const receipt = {
		energy_usage_total: energy,
		energy_fee,
		net_usage,
		net_fee,
		result,
	};
	return {
		id: txid,
		...(fee > 0 && { fee }),
		blockNumber: number,
		blockTimeStamp: getBlockTimestamp(clock, number),
		contractResult: [returned ?? ''],
		...(outcome.contract_address && { contract_address: outcome.contract_address }),
		receipt: Object.fromEntries(Object.entries(receipt).filter(([, value]) => value)),
		...(result && result !== 'SUCCESS' && { result: 'FAILED' }),
		...(message && { resMessage: Buffer.from(message).toString('hex') }),
	};
}

/** The chain prints witnesses with their votes counted, and without fields that are zero or false. */
const formatWitnesses = ({ witnesses, votes }: Wallet, visible: boolean, tronWeb: TronWeb) =>
	witnesses.map((witness) => {
		const { address } = witness;
		const cast = [...votes.values()].reduce((sum, own) => sum + (own.get(address) ?? 0), 0);
		const fields = Object.entries({ ...witness, voteCount: witness.voteCount + cast });
		const shown = visible ? tronWeb.utils.address.fromHex(address) : address;
		return { ...Object.fromEntries(fields.filter(([, value]) => value)), address: shown };
	});
