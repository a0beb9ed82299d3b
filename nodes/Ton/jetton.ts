import { formatBalance } from '../core/chain/payment';
import { formatTokenAmount } from '../core/chain/tokens';
import type { Field } from '../core/operation/field';
import { limit, returnAll } from '../core/operation/sharedFields';
import { optionsField } from '../core/operation/transportOptions';
import { formatTonAddresses, type TonAccount } from '../core/ton/address';
import {
	findJettonFacts,
	findJettonWallet,
	readJetton,
	readJettonWallets,
} from '../core/ton/tokens';
import type { JettonFacts } from '../core/ton/jettonTransfers';
import { MAX_ADDRESSES_PER_REQUEST } from '../core/ton/reader';
import { restOperation } from '../core/protocols/rest';
import { jetton as jettonField, owner } from './fields';
import { getTransfers } from './jettonTransfers';

const get = restOperation({
	name: 'Get',
	action: 'Get jetton, its supply and decimals',
	description: 'Get the name, symbol, decimals and supply of a jetton',
	fields: [jettonField],
	itemsPerRequest: MAX_ADDRESSES_PER_REQUEST,
	async *run(p, context) {
		const found = await readJetton(context, p.jetton);
		const { name, symbol, decimals, totalSupply, mintable } = found;
		yield {
			jetton: formatContract(p.jetton, p.jetton),
			name,
			symbol,
			decimals,
			totalSupply: String(totalSupply),
			supply: formatTokenAmount(totalSupply, found),
			mintable,
		};
	},
});

const getBalance = restOperation({
	name: 'Get Balance',
	action: 'Get jetton balance',
	description: 'Get how much of a jetton (a token, such as USDT) an account owns',
	fields: [jettonField, owner],
	async *run(p, context) {
		const [facts, wallet] = await Promise.all([
			readJetton(context, p.jetton),
			findJettonWallet(context, p.owner, p.jetton),
		]);
		yield formatHolding(p.owner, facts, wallet);
	},
});

const includeZero = {
	displayName: 'Include Zero',
	name: 'includeZero',
	type: 'boolean',
	default: false,
	description: 'Whether to include jettons of which the account now owns 0',
} as const satisfies Field;

const getBalances = restOperation({
	name: 'Get Balances',
	action: 'Get all jetton balances (portfolio)',
	description:
		'Get the balances of all jettons (tokens) of an account, one item for each jetton. Balances of 0 come only with the option Include Zero.',
	fields: [owner, returnAll, limit, optionsField([includeZero])],
	async *run(p, context) {
		const { includeZero: isZeroWanted = includeZero.default } = p.options;
		const wanted = { owner: p.owner, masters: [], isZeroWanted };
		for await (const wallets of readJettonWallets(context, wanted, p.limit)) {
			yield* await Promise.all(
				wallets.map(async (one) =>
					formatHolding(p.owner, await findJettonFacts(context, one.master), one),
				),
			);
		}
	},
});

interface Holding {
	readonly account: TonAccount;
	readonly balance: bigint;
}

/** Formats the balance of an owner, which is 0 if the owner has no wallet of the jetton. */
function formatHolding(holder: TonAccount, facts: JettonFacts, wallet: Holding | undefined) {
	const balance = wallet?.balance ?? 0n;
	return {
		jetton: formatContract(facts.master, holder),
		owner: formatTonAddresses(holder).nonBounceable,
		wallet: wallet ? formatContract(wallet.account, holder) : null,
		...formatBalance(balance, facts),
		balance: String(balance),
	};
}

/** Formats the address of a contract. It gets the flag for test networks if the address that the user gave has this flag. */
function formatContract(account: TonAccount, { isTestOnly }: TonAccount): string {
	return formatTonAddresses({ ...account, isTestOnly }).bounceable;
}

export const jetton = {
	name: 'Jetton',
	operations: { get, getBalance, getBalances, getTransfers },
};
