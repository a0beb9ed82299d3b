import {
	checksumAddress,
	COINS,
	decodeSignedTransaction,
	ETHER_DECIMALS,
	findQueueHint,
	findTestChainHint,
	parseEvmAddress,
	parseField,
	parseSignedEvmPayment,
	planCoinTransfer,
	planTokenTransfer,
	prepareTransaction,
	readMadeEvmPayments,
	readMarkedEvmPayment,
	readSignedEvmPayment,
	readTokenInfos,
	reserveNonce,
	settleEvmPayment,
	unitsParser,
	type Chain,
	type PaymentMark,
	type PlannedIntent,
	type Speed,
} from '../../../../nodes/core';
import { evmTransactionParser } from '../../core/evmTransaction';
import { loadKeyLibrary } from '../../core/library';
import { parsePayee, refuseComment } from './addresses';
import type {
	AskedPayment,
	PayingFamily,
	PaymentPlace,
	PreparedPayment,
	SignedTransaction,
} from './family';

interface EvmTerms {
	readonly speed: Speed;
	readonly confirmations: number;
}

/** Pays on EVM chains. */
export function openEvm(chain: Chain, terms: EvmTerms): PayingFamily {
	return {
		plan: (asked) => {
			refuseComment(asked.comment);
			const payment = parsePayment(asked);
			return {
				token: payment.token?.toLowerCase() ?? null,
				reserve: (payer) => reserve(chain, terms, { ...payment, payer }),
			};
		},
		choosePayer: async ([account = '']) => await Promise.resolve(account),
		readMade: async (payer, token, since) =>
			await readMadeEvmPayments(chain, payer, { since, tokens: token === null ? [] : [token] }),
		findMarked: async (from, { hash }, mark) => {
			const signed = await readMarkedEvmPayment(chain, hash, { from, mark });
			return signed === undefined ? undefined : openSigned(chain, terms, signed, from);
		},
		takeSigned: ({ signedTransaction, from }) =>
			openSigned(chain, terms, String(signedTransaction), String(from)),
		parseSigned: (given) =>
			openSigned(chain, terms, parseField('Signed Transaction', given, parseSignedEvmPayment)),
	};
}

/** The signer of a transaction signed just now is known; that of any other is found by the signature. */
function openSigned(
	chain: Chain,
	{ confirmations }: EvmTerms,
	signed: string,
	signer?: string,
): SignedTransaction {
	return {
		text: signed,
		fields: readFields(signed),
		follow: async (settling) => {
			const from = signer ?? (await findSender(signed));
			return await settleEvmPayment(chain, signed, { ...settling, confirmations, from });
		},
		read: async () => {
			const { recoverSigner } = await loadKeyLibrary();
			return await readSignedEvmPayment(chain, signed, recoverSigner);
		},
	};
}

function readFields(signed: string): SignedTransaction['fields'] {
	const { chainId, nonce, gas, data } = decodeSignedTransaction(signed) ?? {};
	return { chainId, nonce, gas, data, input: data };
}

/** The account that has signed; null where the signature is of nobody. */
async function findSender(signed: string): Promise<string | null> {
	const { recoverSigner } = await loadKeyLibrary();
	const transaction = decodeSignedTransaction(signed);
	const account = transaction && recoverSigner(transaction.signedHash, transaction.signature);
	return account === undefined ? null : `0x${account}`;
}

interface EvmPayment {
	/** Undefined for coins. */
	readonly token: string | undefined;
	readonly to: string;
	readonly amount: string;
	readonly mark: PaymentMark;
}

function parsePayment({ token, to, amount, mark }: AskedPayment): EvmPayment {
	return {
		token: token === '' ? undefined : parsePayee('Token', token, 'evm', parseEvmAddress),
		to: parsePayee('To', to, 'evm', parseEvmAddress),
		amount,
		mark,
	};
}

type PaidPayment = EvmPayment & { readonly payer: string };

function reserve(chain: Chain, terms: EvmTerms, payment: PaidPayment): PaymentPlace {
	const intent = plan(payment);
	const place = reserveNonce(chain, payment.payer, undefined);
	const wanted = { speed: terms.speed, options: {}, mark: payment.mark.value };
	return {
		prepare: async () => {
			const { payer: from } = payment;
			const [prepared, facts] = await Promise.all([
				prepareTransaction(chain, { from, ...wanted }, intent, place),
				readFacts(chain, payment),
			]);
			const { maxCost, summary, transaction } = prepared;
			const given = evmTransactionParser('Transaction')(prepared);
			const hints = [
				findTestChainHint(BigInt(transaction.chainId)),
				await findQueueHint(checksumAddress(from), place),
			];
			const limited = facts.compared.token;
			return {
				...facts,
				limited,
				maxCost,
				summary,
				request: { kind: 'transaction', given },
				hints,
			};
		},
		release: place.release,
	};
}

function plan({ token, to, amount, payer }: PaidPayment): PlannedIntent {
	const context = { from: payer, allowZeroAddress: false };
	return token === undefined
		? planCoinTransfer({ to, amount: parseUnits(amount, ETHER_DECIMALS) }, context)
		: planTokenTransfer({ token, to, amount }, context);
}

function parseUnits(amount: string, decimals: number): bigint {
	return parseField('Amount', amount, unitsParser(decimals));
}

async function readFacts(
	chain: Chain,
	{ payer, token, to, amount }: PaidPayment,
): Promise<Pick<PreparedPayment, 'facts' | 'compared'>> {
	const info = token === undefined ? COINS.evm : (await readTokenInfos(chain, [token]))(token);
	// Without decimals, what prepares it refuses it in words.
	const value = info.decimals === null ? 0n : parseUnits(amount, info.decimals);
	return {
		facts: {
			from: checksumAddress(payer),
			to: checksumAddress(to),
			token: token === undefined ? null : checksumAddress(token),
			...info,
			value,
			comment: null,
		},
		compared: {
			to: to.toLowerCase(),
			token: token?.toLowerCase() ?? null,
			value,
			comment: null,
		},
	};
}
