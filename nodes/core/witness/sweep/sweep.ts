import { parsePayee } from '../../chain/payee';
import { COINS } from '../../chain/payment';
import type { PatientRestReader } from '../../chain/reader';
import type { AskedSweep, Holding, SweptChain } from '../../chain/sweep';
import type { TokenFacts } from '../../chain/tokens';
import { readAccount } from '../accounts';
import { formatWitnessAddresses, parseWitnessAccount } from '../address';
import { readTokenBalance, readTokenFacts } from '../tokens';
import type { UnsignedWitness } from '../unsigned';
import { readWaitingTransactions } from '../waitingTransactions';
import { prepareCoins } from './coins';
import { writeAccount, type Sweeping } from './sweeping';
import { prepareTokens } from './tokens';

/** Makes the functions that sweep addresses, which move all that addresses hold to one destination. */
export function openSweep(
	reader: PatientRestReader,
	asked: AskedSweep,
): SweptChain<UnsignedWitness> {
	const token =
		asked.token === '' ? null : parsePayee('Token', asked.token, 'witness', parseWitnessAccount);
	return {
		token: token === null ? null : formatWitnessAddresses(token).hex,
		readId: async () => await Promise.resolve('witness'),
		readHoldings: async (accounts) => {
			const sweeping = {
				reader,
				destination: parseWitnessAccount(asked.destination),
				token,
				facts: await readFacts(reader, token),
			};
			return await readHoldings(sweeping, accounts);
		},
		isPayerBusy: async (payer) =>
			(await readWaitingOwners(reader)).has(payer.slice(2).toLowerCase()),
	};
}

async function readFacts(reader: PatientRestReader, token: string | null): Promise<TokenFacts> {
	return token === null ? COINS.witness : (await readTokenFacts(reader, [token]))(token);
}

/**
 * Reads the balances of accounts. They are read again after the pending transactions. So a transaction that enters a block meanwhile is
 * seen by at least one of the two reads.
 */
async function readHoldings(
	sweeping: Sweeping,
	accounts: readonly string[],
): Promise<ReadonlyArray<Holding<UnsignedWitness>>> {
	const read = async (account: string) => await readBalance(sweeping, account);
	const first = await Promise.all(accounts.map(read));
	const isAnyThere = first.some((balance) => balance > 0n);
	const waiting = isAnyThere ? await readWaitingOwners(sweeping.reader) : new Set<string>();
	return await Promise.all(
		accounts.map(async (account, at) => {
			const isThere = (first[at] ?? 0n) > 0n;
			const balance = isThere ? await read(account) : 0n;
			return buildHolding(sweeping, { account, balance, isBusy: waiting.has(account) });
		}),
	);
}

async function readBalance({ reader, token }: Sweeping, account: string): Promise<bigint> {
	if (token !== null) return await readTokenBalance(reader, token, account);
	return (await readAccount(reader, writeAccount(account))).balance;
}

interface Found {
	readonly account: string;
	readonly balance: bigint;
	readonly isBusy: boolean;
}

function buildHolding(
	sweeping: Sweeping,
	{ account, balance, isBusy }: Found,
): Holding<UnsignedWitness> {
	const { token } = sweeping;
	const facts = formatFacts(sweeping, account, balance);
	return {
		facts,
		balance,
		isBusy,
		prepare: async () => {
			const prepared =
				token === null
					? await prepareCoins(sweeping, account)
					: await prepareTokens({ ...sweeping, token }, account, balance);
			if (!prepared) return undefined;
			const { value, ...sweep } = prepared;
			return { ...sweep, facts: { ...facts, value } };
		},
	};
}

function formatFacts({ destination, token, facts }: Sweeping, from: string, value: bigint) {
	return {
		from: formatWitnessAddresses(from).base58,
		to: formatWitnessAddresses(destination).base58,
		token: token === null ? null : formatWitnessAddresses(token).base58,
		...facts,
		value,
		comment: null,
	};
}

/** Lists the accounts that have pending transactions, as far as the node shows them. */
async function readWaitingOwners(reader: PatientRestReader): Promise<ReadonlySet<string>> {
	const waiting = await readWaitingTransactions(reader);
	return new Set(
		waiting.flatMap(({ coins, call }) =>
			[coins, call].flatMap((sent) => (sent ? [sent.from] : [])),
		),
	);
}
