import { InvalidInput } from '../../../core/errors/invalidInput';
import { RequestFailure } from '../../../core/errors/requestFailure';
import type { Field } from '../../../core/operation/field';
import { formatByState, readAccount } from '../../../core/ton/accounts';
import { formatTonAddresses, type TonAccount } from '../../../core/ton/address';
import { buildCommentBody, buildNftTransfer } from '../../../core/ton/bodies';
import type { Cell } from '../../../core/ton/cell';
import { parseGivenBag } from '../../../core/ton/bag/parse';
import { findNft, type TonNft } from '../../../core/ton/nfts';
import {
	formatCoins,
	formatCommentWords,
	parseCoins,
	planCoinPayment,
	planJettonPayment,
	DEFAULT_FORWARD_AMOUNT,
	DEFAULT_FORWARD_TEXT,
	DEFAULT_GAS_TEXT,
} from '../../../core/ton/payments';
import { buildPlan } from '../../../core/ton/prepare/prepare';
import { isStateInit } from '../../../core/ton/stateInit';
import { isSameAccount } from '../../../core/ton/transactions';
import { parseAmountText } from '../../../core/values/units';
import { optionalParser } from '../../../core/values/numbers';
import { trimText, type Parse, InvalidValue } from '../../../core/values/parse';
import { comment, ownedContract, paidJetton, receiver } from '../../../fields/tonPaymentFields';
import { severalPayments } from './severalPayments';
import { transferKind, type PlanContext } from './transferKind';
import { raise } from '../../../core/errors/raise';

const amountField = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 1.5',
} as const;

const ALL = 'all';

const coinTransfer = transferKind({
	name: 'Coin Transfer',
	description: "Pay an amount of the chain's coins to an account",
	fields: [
		receiver,
		{
			...amountField,
			placeholder: 'e.g. 1.5 or all',
			description: 'How much to pay',
			hint: 'The amount in coins, such as 1.5. The word all sends the whole balance.',
			parse: (given: unknown) => (trimText(given).toLowerCase() === ALL ? ALL : parseCoins(given)),
		},
		comment,
	],
	plan: async (p, { reader, bounce }) => {
		const isAll = p.amount === ALL;
		const amount = p.amount === ALL ? 0n : p.amount;
		const body = buildCommentBody(p.comment);
		const words = formatCommentWords(p.comment);
		const payment = { to: p.to, amount, body, stateInit: null, bounce, words };
		const planned = await planCoinPayment(reader, payment);
		const sentence = isAll ? `Send all coins to ${planned.address}${words}` : planned.sentence;
		return { messages: [{ ...planned, sentence }], sentence, isAll };
	},
});

const gas = {
	displayName: 'Gas',
	name: 'gas',
	type: 'string',
	default: DEFAULT_GAS_TEXT,
	placeholder: `e.g. ${DEFAULT_GAS_TEXT}`,
	description: 'How many coins to send along for the fees of the contracts',
	hint: 'The amount in coins; unused coins come back',
	parse: parseCoins,
} as const satisfies Field;

const jettonTransfer = transferKind({
	name: 'Jetton Transfer',
	description: 'Pay a jetton (a token such as USDT)',
	fields: [
		receiver,
		{
			...amountField,
			description: 'How much to pay',
			hint: 'The amount in jettons, such as 1.5',
			parse: parseAmountText,
		},
		paidJetton,
		comment,
		{
			displayName: 'Forward Amount',
			name: 'forwardAmount',
			type: 'string',
			default: DEFAULT_FORWARD_TEXT,
			placeholder: `e.g. ${DEFAULT_FORWARD_TEXT}`,
			description:
				'How many of the coins in Gas go to the receiver of the jettons, with a message about the payment. With 0, the receiver gets no message.',
			hint: 'The amount in coins that the receiver gets with the message; decimals are allowed',
			parse: parseCoins,
		},
		gas,
	],
	plan: async (p, { reader, from, bounce }) => {
		return buildPlan(await planJettonPayment(reader, { ...p, from, bounce }));
	},
});

const nftTransfer = transferKind({
	name: 'NFT Transfer',
	description: 'Send an NFT to another account',
	fields: [
		receiver,
		{
			...ownedContract('nftsOfSender', 'e.g. EQAAwP1hj5VM0wiUgmTH9m6y61Nbfinzn-_JYrozVourI0Hq'),
			displayName: 'NFT Address',
			name: 'address',
			description: "The NFT to send: its own address, not its collection's",
		},
		comment,
		gas,
	],
	plan: async (p, context) => {
		if (isSameAccount(p.address, p.to)) {
			throw new InvalidInput(
				"'To' must be the account that receives the NFT, not the NFT itself",
				"Enter the new owner's address.",
			);
		}
		return await planNftTransfer(p, context);
	},
});

interface NftTransferInputs {
	readonly address: TonAccount;
	readonly to: TonAccount;
	readonly comment: string;
	readonly gas: bigint;
}

async function planNftTransfer(p: NftTransferInputs, { reader, from, bounce = true }: PlanContext) {
	const [found, state] = await Promise.all([findNft(reader, p.address), readAccount(reader, p.to)]);
	const address = formatTonAddresses(p.address).bounceable;
	requireOwner(found?.nft, from, address);
	const body = buildNftTransfer({
		queryId: 0n,
		to: p.to,
		responseTo: from,
		customPayload: null,
		forwardAmount: DEFAULT_FORWARD_AMOUNT,
		forwardPayload: buildCommentBody(p.comment),
	});
	const sentence = `Send the NFT ${address} to ${formatByState(state, p.to.isTestOnly)}${formatCommentWords(p.comment)}, with ${formatCoins(p.gas)} along`;
	return buildPlan({
		to: p.address,
		amount: p.gas,
		bounce,
		body,
		stateInit: null,
		address,
		sentence,
	});
}

function requireOwner(nft: TonNft | undefined, from: TonAccount, address: string): void {
	if (!nft) throw new RequestFailure(`There is no NFT at ${address}`);
	if (nft.owner && isSameAccount(nft.owner, from)) return;
	const holder = nft.owner ? formatTonAddresses(nft.owner).nonBounceable : 'nobody';
	throw new RequestFailure(`The NFT ${address} belongs to ${holder}, and not to the sender`);
}

const parseStateInit: Parse<Cell> = (given) => {
	const cell = parseGivenBag(given);
	return isStateInit(cell)
		? cell
		: raise(
				new InvalidValue(
					'the state init (code and first data) of a contract, as a bag of cells (the data format of TON) in base64',
				),
			);
};

const bodyField = {
	displayName: 'Body',
	name: 'body',
	type: 'string',
	default: '',
	placeholder: 'e.g. te6cckEBAQEAAgAAAEysuc0=',
	description: "The data of the message in TON's form: a bag of cells (BOC), in base64",
	hint: 'Leave Body empty to send no data',
	parse: optionalParser(parseGivenBag),
} as const satisfies Field;

const stateInitField = {
	displayName: 'State Init',
	name: 'stateInit',
	type: 'string',
	default: '',
	placeholder: 'e.g. te6cckEBAQEAAgAAAEysuc0=',
	description:
		"The code and first data of a contract to deploy, in TON's form: a bag of cells (BOC), in base64",
	hint: 'Only for deploying a contract. Leave State Init empty if the contract is deployed already.',
	parse: optionalParser(parseStateInit),
} as const satisfies Field;

const message = transferKind({
	name: 'Message',
	description: 'Send data of your own to a contract, or deploy a contract',
	fields: [
		receiver,
		{
			...amountField,
			description: 'How many coins to send with the message',
			hint: 'The amount in coins; decimals are allowed',
			parse: parseCoins,
		},
		bodyField,
		stateInitField,
	],
	plan: async (p, { reader, bounce }) => {
		const { to, amount, body = null, stateInit = null } = p;
		if (stateInit && !stateInit.hash.equals(to.hash)) throw otherStateError();
		const words = [
			...(body ? [` with the body ${formatHash(body)}`] : []),
			...(stateInit ? [`${body ? ' and' : ' with'} the code to deploy it`] : []),
		].join('');
		return buildPlan(await planCoinPayment(reader, { to, amount, body, stateInit, bounce, words }));
	},
});

function otherStateError(): InvalidInput {
	return new InvalidInput(
		"'State Init' must belong to the account in 'To'",
		"The address of a contract follows from its state init: correct 'To' or 'State Init'.",
	);
}

const SHOWN_DIGITS = 8;

function formatHash(cell: Cell): string {
	return `${cell.hash.toString('hex').slice(0, SHOWN_DIGITS)}…`;
}

/** The kinds stand in the order of their names, because n8n lists them in this order. */
export const transferKinds = {
	coinTransfer,
	jettonTransfer,
	message,
	nftTransfer,
	several: severalPayments,
} as const;
