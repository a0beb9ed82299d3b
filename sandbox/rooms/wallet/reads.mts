import type { FastifyInstance } from 'fastify';
import { parseAccount } from './accounts.mts';
import { buildBlock, getHeadNumber, getSolidNumber, getBlockTimestamp } from './blocks.mts';
import { formatAccount, formatResources } from './ledger.mts';
import * as schemas from './schemas.mts';
import type { Broadcast, WalletState } from './state.mts';
import { loadTronWeb } from './tools.mts';

interface AccountBody {
	address: string;
	visible?: boolean;
}

/** What reads accounts, blocks and transactions; below `walletsolidity/` what is irreversible. */
export function addReadRoutes(app: FastifyInstance, wallet: () => WalletState): void {
	const read = <Body,>(path: string, body: object, answer: (asked: Body) => unknown) =>
		app.post<{ Body: Body }>(
			path,
			{ schema: { body, querystring: schemas.noQuery } },
			async (request, reply) =>
				path.startsWith('/walletsolidity') && !wallet().settings.solidified
					? reply.callNotFound()
					: await answer(request.body as Body),
		);

	const account = async ({ address, visible = false }: AccountBody) => {
		const tools = await loadTronWeb();
		const hex = parseAccount(address, visible, tools);
		return formatAccount(hex, address, wallet(), tools, visible);
	};
	read('/wallet/getaccount', schemas.accountBody, account);
	read('/walletsolidity/getaccount', schemas.accountBody, account);
	read('/wallet/getaccountresource', schemas.accountBody, async (body: AccountBody) => {
		const { address, visible = false } = body;
		const tools = await loadTronWeb();
		return formatResources(parseAccount(address, visible, tools), wallet(), tools);
	});

	const until = (last: (clock: WalletState['clock']) => number) => (value: string) =>
		wallet().broadcast.find(
			(one) => one.txid === value.toLowerCase() && one.block <= last(wallet().clock),
		);
	const [included, solid] = [until(getHeadNumber), until(getSolidNumber)];
	const pending = (value: string) => (included(value) ? undefined : until(() => Infinity)(value));
	const transaction = (found?: Broadcast) =>
		found
			? { ret: [{ contractRet: found.outcome.result ?? 'SUCCESS' }], ...found.transaction }
			: {};
	const info = (found?: Broadcast) => (found ? formatInfo(found, wallet()) : {});

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
		const { clock, broadcast, witnesses } = wallet();
		const own = broadcast.filter((one) => one.block === number).map((one) => transaction(one));
		return buildBlock(clock, number, witnesses[number % 27]?.address ?? '', own);
	};
	read('/wallet/getnowblock', schemas.anyBody, () => blockAt(getHeadNumber(wallet().clock)));
	app.get('/wallet/getnowblock', { schema: { querystring: schemas.noQuery } }, async () =>
		blockAt(getHeadNumber(wallet().clock)),
	);
	read('/walletsolidity/getnowblock', schemas.anyBody, () =>
		blockAt(getSolidNumber(wallet().clock)),
	);
	read('/wallet/getblockbynum', schemas.blockNumberBody, ({ num }: { num: number }) =>
		num <= getHeadNumber(wallet().clock) ? blockAt(num) : {},
	);
	read('/wallet/getblock', schemas.blockBody, ({ detail = false }: { detail?: boolean }) => {
		const { transactions, ...head } = blockAt(getHeadNumber(wallet().clock));
		return detail && transactions ? { ...head, transactions } : head;
	});
}

/** As the chain prints it: zeros are left out, words are in hex. */
function formatInfo({ txid, block: number, outcome }: Broadcast, { clock }: WalletState) {
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
