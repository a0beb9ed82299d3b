import type { RestReader } from '../core/chain/reader';
import type { Field } from '../core/operation/field';
import { restOperation } from '../core/protocols/rest';
import { MAX_UINT256 } from '../core/values/numbers';
import { formatUnits, parseAmountText, unitsParser } from '../core/values/units';
import { trimText, type Parse, parseField } from '../core/values/parse';
import { checkNotOwnContract, checkNotZeroAddress } from '../core/values/receiver';
import { ZERO_ADDRESS } from '../core/witness/constantCall';
import { buildCheckedCall } from '../core/witness/prepare/contractCall';
import { formatBase58, formatBuilt, formatFeeLimit } from '../core/witness/prepare/summary';
import {
	APPROVE_FUNCTION,
	encodeTokenCall,
	readDecimalsOnce,
} from '../core/witness/prepare/tokenCalls';
import {
	feeLimit,
	ownerAddress,
	parseAddress,
	tokenContract,
	UNSIGNED_TEXT,
	visible,
} from './fields';

const spender = {
	displayName: 'Spender',
	name: 'spender',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
	description: 'The account or contract that may spend the token',
} as const satisfies Field;

const UNLIMITED_WORD = 'unlimited';

const parseAllowance: Parse<string> = (given) =>
	trimText(given).toLowerCase() === UNLIMITED_WORD ? UNLIMITED_WORD : parseAmountText(given);

const allowance = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 25.5',
	description: 'The total amount that may be spent. 0 takes the approval back.',
	hint: 'In tokens, such as 1.5, or the word unlimited',
	parse: parseAllowance,
} as const satisfies Field;

export const buildTokenApproval = restOperation({
	name: 'Build Token Approval',
	action: 'Build approval to spend token',
	description: `Build a transaction that allows another account or contract to spend a TRC-20 token. A transaction that would fail is refused. ${UNSIGNED_TEXT}`,
	fields: [ownerAddress, spender, allowance, tokenContract, feeLimit, visible],
	async *run(p, context) {
		const owner = parseAddress('From', p.ownerAddress, p.visible);
		const contract = parseAddress('Token', p.token, p.visible);
		const allowed = parseAddress('Spender', p.spender, p.visible);
		checkNotZeroAddress('Spender', allowed, { zeroAddress: ZERO_ADDRESS });
		checkNotOwnContract('Spender', allowed, contract);
		const { units, words } = await readAllowance(context, contract, p.amount);
		const built = await buildCheckedCall(context, {
			owner,
			contract,
			errors: [],
			called: APPROVE_FUNCTION,
			data: encodeTokenCall(APPROVE_FUNCTION, allowed, units),
			feeLimit: p.feeLimit,
			visible: p.visible,
		});
		yield formatBuilt(
			built,
			`Allow ${formatBase58(allowed)} to spend ${words} of the token ${formatBase58(contract)}, ${formatFeeLimit(p.feeLimit)}`,
		);
	},
});

/**
 * Reads the amount that the approval allows. An unlimited amount needs no decimals of the token, so nothing is read.
 */
async function readAllowance(reader: RestReader, token: string, amount: string) {
	if (amount === UNLIMITED_WORD) return { units: MAX_UINT256, words: 'any amount' };
	const decimals = await readDecimalsOnce(reader, token);
	const units = parseField('Amount', amount, unitsParser(decimals));
	return { units, words: formatUnits(units, decimals) };
}
