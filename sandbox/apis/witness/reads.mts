import type { FastifyInstance } from 'fastify';
import {
	type TronWeb,
	parseAccount,
	formatAccount,
	formatResources,
	loadTronWeb,
} from './accounts.mts';
import { buildBlock, getHeadNumber, getSolidNumber, getBlockTimestamp } from './blocks.mts';
import { noQuery } from '../../http/schemas.mts';
import * as schemas from './schemas.mts';
import type { Broadcast, Wallet, WalletState } from './state.mts';

interface AccountBody {
	address: string;
	visible?: boolean;
}

/** What reads accounts, blocks and transactions; below `walletsolidity/` what is irreversible. */
export function addReadRoutes(app: FastifyInstance, state: WalletState): void {
	const read = <Body,>(path: string, body: object, answer: (asked: Body) => unknown) =>
		app.post<{ Body: Body }>(
			path,
			{ schema: { body, querystring: noQuery } },
			async (request, reply) =>
				path.startsWith('/walletsolidity') && !state.wallet.settings.solidified
					? reply.callNotFound()
					: await answer(request.body as Body),
		);

	const account = async ({ address, visible = false }: AccountBody) => {
		const tools = await loadTronWeb();
		const hex = parseAccount(address, visible, tools);
		return formatAccount(hex, address, state.wallet, tools, visible);
	};
	read('/wallet/getaccount', schemas.accountBody, account);
	read('/walletsolidity/getaccount', schemas.accountBody, account);
	read('/wallet/getaccountresource', schemas.accountBody, async (body: AccountBody) => {
		const { address, visible = false } = body;
		const tools = await loadTronWeb();
		return formatResources(parseAccount(address, visible, tools), state.wallet, tools);
	});

	const until = (last: (clock: Wallet['clock']) => number) => (value: string) =>
		state.wallet.broadcast.find(
			(one) => one.txid === value.toLowerCase() && one.block <= last(state.wallet.clock),
		);
	const [included, solid] = [until(getHeadNumber), until(getSolidNumber)];
	const pending = (value: string) => (included(value) ? undefined : until(() => Infinity)(value));
	const transaction = (found?: Broadcast) =>
		found
			? { ret: [{ contractRet: found.outcome.result ?? 'SUCCESS' }], ...found.transaction }
			: {};
	const info = (found?: Broadcast) => (found ? formatInfo(found, state.wallet) : {});

	for (const [path, answer] of [
		['/wallet/gettransactionbyid', (value: string) => transaction(included(value))],
		['/walletsolidity/gettransactionbyid', (value: string) => transaction(solid(value))],
		['/wallet/gettransactionfrompending', (value: string) => pending(value)?.transaction ?? {}],
		['/wallet/gettransactioninfobyid', (value: string) => info(included(value))],
		['/walletsolidity/gettransactioninfobyid', (value: string) => info(solid(value))],
	] as const) {
		read(path, schemas.transactionBody, ({ value }: { value: string }) => answer(value));
	}

	const blockAt = (number: number) => {
		const { clock, broadcast, witnesses } = state.wallet;
		const own = broadcast.filter((one) => one.block === number).map((one) => transaction(one));
		return buildBlock(clock, number, witnesses[number % 27]?.address ?? '', own);
	};
	read('/wallet/getnowblock', schemas.optionalBody, () =>
		blockAt(getHeadNumber(state.wallet.clock)),
	);
	app.get('/wallet/getnowblock', { schema: { querystring: noQuery } }, async () =>
		blockAt(getHeadNumber(state.wallet.clock)),
	);
	read('/walletsolidity/getnowblock', schemas.optionalBody, () =>
		blockAt(getSolidNumber(state.wallet.clock)),
	);
	read('/wallet/getblockbynum', schemas.blockNumberBody, ({ num }: { num: number }) =>
		num <= getHeadNumber(state.wallet.clock) ? blockAt(num) : {},
	);
	read('/wallet/getblock', schemas.blockBody, ({ detail = false }: { detail?: boolean }) => {
		const { transactions, ...head } = blockAt(getHeadNumber(state.wallet.clock));
		return detail && transactions ? { ...head, transactions } : head;
	});

	app.post<{ Querystring: { visible?: string } }>(
		'/wallet/listwitnesses',
		{ schema: { body: schemas.optionalBody, querystring: schemas.listQuery } },
		async ({ query }) => ({
			witnesses: formatWitnesses(state.wallet, query.visible === 'true', await loadTronWeb()),
		}),
	);
}

/** As the chain prints it: zeros are left out, words are in hex. */
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

/** As the chain prints them: votes counted, fields that are zero or false left out. */
const formatWitnesses = ({ witnesses, votes }: Wallet, visible: boolean, tools: TronWeb) =>
	witnesses.map((witness) => {
		const { address } = witness;
		const cast = [...votes.values()].reduce((sum, own) => sum + (own.get(address) ?? 0), 0);
		const fields = Object.entries({ ...witness, voteCount: witness.voteCount + cast });
		const shown = visible ? tools.utils.address.fromHex(address) : address;
		return { ...Object.fromEntries(fields.filter(([, value]) => value)), address: shown };
	});
