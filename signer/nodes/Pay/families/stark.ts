import {
	COINS,
	createStarkNode,
	FEE_DECIMALS,
	FEE_TOKEN,
	findStarkTestHint,
	formatFelt,
	formatUnits,
	parseField,
	parseSignedStarkPayment,
	parseStarkAddress,
	planStarkTransfer,
	prepareInvoke,
	readMadeStarkPayments,
	readMarkedStarkPayment,
	readSignedStarkPayment,
	readStarkTokenInfos,
	reserveStarkNonce,
	settleStarkPayment,
	unitsParser,
	type Chain,
	type PaymentMark,
	type RpcReader,
} from '../../../../nodes/core';
import { parseStarkInvoke } from '../../../rules/starkInvoke';
import { parsePayee, refuseComment } from './addresses';
import type {
	AskedPayment,
	PayingFamily,
	PaymentPlace,
	PreparedPayment,
	SignedTransaction,
} from './family';

interface StarkTerms {
	readonly methodPrefix: string;
	readonly until: 'acceptedOnL1' | 'acceptedOnL2';
}

/** Pays on STARK rollups, whose coin is the token of the fees. */
export function openStark(chain: Chain, terms: StarkTerms): PayingFamily {
	const node = createStarkNode(chain, terms.methodPrefix);
	return {
		plan: (asked) => {
			refuseComment(asked.comment);
			const payment = parsePayment(asked);
			return {
				token: formatFelt(payment.token ?? FEE_TOKEN),
				reserve: (payer) => reserve(node, payment, parseStarkAddress(payer)),
			};
		},
		choosePayer: async ([account = '']) => await Promise.resolve(account),
		readMade: async (payer, token, since) =>
			await readMadeStarkPayments(node, payer, { since, tokens: token === null ? [] : [token] }),
		findMarked: async (from, { hash }, mark) => {
			const signed = await readMarkedStarkPayment(node, hash, { from, mark });
			return signed && openSigned(chain, node, terms, signed);
		},
		takeSigned: ({ transaction }) => openSigned(chain, node, terms, transaction),
		parseSigned: (given) => openSigned(chain, node, terms, given),
	};
}

function openSigned(
	chain: Chain,
	node: RpcReader,
	{ until }: StarkTerms,
	given: unknown,
): SignedTransaction {
	const signed = parseField('Signed Transaction', given, parseSignedStarkPayment);
	return {
		text: signed.text,
		fields: {},
		follow: async (settling) =>
			await settleStarkPayment(chain, node, signed, { ...settling, until }),
		read: async () => await readSignedStarkPayment(node, signed.invoke),
	};
}

interface StarkPayment {
	/** Undefined for coins. */
	readonly token: bigint | undefined;
	readonly to: bigint;
	readonly amount: string;
	readonly mark: PaymentMark;
}

function parsePayment({ token, to, amount, mark }: AskedPayment): StarkPayment {
	return {
		token: token === '' ? undefined : parsePayee('Token', token, 'stark', parseStarkAddress),
		to: parsePayee('To', to, 'stark', parseStarkAddress),
		amount,
		mark,
	};
}

function reserve(node: RpcReader, payment: StarkPayment, from: bigint): PaymentPlace {
	const place = reserveStarkNonce(node, from, undefined);
	const transfer = { ...payment, token: payment.token ?? FEE_TOKEN };
	return {
		prepare: async () => {
			const [prepared, facts] = await Promise.all([
				prepareInvoke(node, place, {
					from,
					mark: payment.mark.value,
					plan: async () => await planStarkTransfer(node, transfer),
				}),
				readFacts(node, payment, from),
			]);
			const { transaction, maxCost: fee, summary } = prepared;
			return {
				...facts,
				limited: facts.compared.token,
				maxCost: transfer.token === FEE_TOKEN ? addCoins(fee, facts.compared.value) : fee,
				summary,
				request: { kind: 'starkTransaction', given: parseStarkInvoke(transaction) },
				hints: [findStarkTestHint(BigInt(transaction.chainId))],
			};
		},
		release: place.release,
	};
}

function addCoins(fee: string, value: bigint): string {
	return formatUnits(unitsParser(FEE_DECIMALS)(fee) + value, FEE_DECIMALS);
}

async function readFacts(
	node: RpcReader,
	{ token, to, amount }: StarkPayment,
	from: bigint,
): Promise<Pick<PreparedPayment, 'facts' | 'compared'>> {
	const info =
		token === undefined ? COINS.stark : (await readStarkTokenInfos(node, [token]))(token);
	// Without decimals, what prepares it refuses it in words.
	const value =
		info.decimals === null ? 0n : parseField('Amount', amount, unitsParser(info.decimals));
	const contract = token === undefined ? null : formatFelt(token);
	return {
		facts: {
			from: formatFelt(from),
			to: formatFelt(to),
			token: contract,
			...info,
			value,
			comment: null,
		},
		compared: {
			to: formatFelt(to),
			token: formatFelt(token ?? FEE_TOKEN),
			value,
			comment: null,
		},
	};
}
