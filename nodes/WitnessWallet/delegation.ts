import { InvalidInput } from '../core/errors/invalidInput';
import type { Field } from '../core/operation/field';
import { rest } from '../core/protocols/rest';
import { stringifyExactJson } from '../core/values/json';
import { wholeNumberParser } from '../core/values/parse';
import { checkNotZeroAddress } from '../core/values/receiver';
import { verifyBuilt, parseBuiltAnswer } from './builtTransaction';
import { ZERO_ADDRESS } from '../core/witness/constantCall';
import {
	amountField,
	options,
	ownerAddress,
	parseAddress,
	resourceField,
	UNSIGNED_TEXT,
	visible,
} from './fields';

const receiverAddress = {
	displayName: 'Receiver Address',
	name: 'receiverAddress',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
	description: 'The account that uses what the frozen coins give',
} as const satisfies Field;

const lentResource = resourceField(
	'What the coins were frozen for, which is what the receiver gets',
);

/** The chain lets its producers agree on a year at most. */
const MAX_LOCK_DAYS = 365;
/** A block comes every three seconds. */
const BLOCKS_PER_DAY = 28_800;

const lockDays = {
	displayName: 'Lock Days',
	name: 'lockDays',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: MAX_LOCK_DAYS },
	default: 0,
	description: 'For how many days the delegation can not be taken back; 0 for none',
	parse: wholeNumberParser(0, MAX_LOCK_DAYS),
} as const satisfies Field;

interface GivenDelegation {
	readonly ownerAddress: string;
	readonly receiverAddress: string;
	readonly amount: bigint;
	readonly forResource: 'bandwidth' | 'energy';
	readonly visible: boolean;
}

/** What both directions have in common: the request, and what the transaction must say. */
function planDelegation(p: GivenDelegation) {
	const owner = parseAddress('Owner Address', p.ownerAddress, p.visible);
	const receiver = parseAddress('Receiver Address', p.receiverAddress, p.visible);
	checkNotZeroAddress('Receiver Address', receiver.hex, { zeroAddress: ZERO_ADDRESS });
	if (owner.hex === receiver.hex) {
		throw new InvalidInput(
			"'Receiver Address' must be another account than 'Owner Address'",
			'What an account has frozen is its own already.',
		);
	}
	const lent = { balance: p.amount, resource: p.forResource.toUpperCase() };
	return {
		body: {
			owner_address: owner.written,
			receiver_address: receiver.written,
			...lent,
			visible: p.visible,
		},
		parameters: { owner_address: owner.hex, receiver_address: receiver.hex, ...lent },
	};
}

export const buildDelegate = rest({
	name: 'Build Delegation',
	action: 'Build a delegation of energy',
	description: `Build a transaction that lends the energy or bandwidth of frozen coins to another account. ${UNSIGNED_TEXT}`,
	fields: [
		ownerAddress,
		receiverAddress,
		amountField('How much of the frozen coins to delegate; 1 at least'),
		lentResource,
		lockDays,
		visible,
		options,
	],
	plan: (p) => {
		const { body, parameters } = planDelegation(p);
		const lock = { lock: p.lockDays > 0, lock_period: BigInt(p.lockDays * BLOCKS_PER_DAY) };
		return {
			body: { ...body, ...(lock.lock && lock) },
			parameters: { ...parameters, ...lock },
		};
	},
	request: ({ body }) => ({ path: '/wallet/delegateresource', body: stringifyExactJson(body) }),
	answer: parseBuiltAnswer,
	items: (built, { parameters }) => [
		verifyBuilt(built, { contract: 'DelegateResourceContract', parameters }),
	],
});

export const buildUndelegate = rest({
	name: 'Build Undelegation',
	action: 'Build an undelegation of energy',
	description: `Build a transaction that takes lent energy or bandwidth back, unless it is locked. ${UNSIGNED_TEXT}`,
	fields: [
		ownerAddress,
		receiverAddress,
		amountField('How much of the delegated coins to take back'),
		lentResource,
		visible,
		options,
	],
	plan: planDelegation,
	request: ({ body }) => ({ path: '/wallet/undelegateresource', body: stringifyExactJson(body) }),
	answer: parseBuiltAnswer,
	items: (built, { parameters }) => [
		verifyBuilt(built, { contract: 'UnDelegateResourceContract', parameters }),
	],
});
