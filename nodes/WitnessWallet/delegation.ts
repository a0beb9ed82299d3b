import { InvalidInput } from '../core/errors/invalidInput';
import type { RequestFailure } from '../core/errors/requestFailure';
import type { Field } from '../core/operation/field';
import { listOrHand } from '../core/operation/locator';
import { wholeNumberParser } from '../core/values/parse';
import { checkNotZeroAddress } from '../core/values/receiver';
import { buildOperation } from './buildOperation';
import { ZERO_ADDRESS } from '../core/witness/constantCall';
import { formatCoins } from '../core/witness/prepare/purse';
import { formatBase58 } from '../core/witness/prepare/summary';
import {
	amountField,
	ownerAddress,
	parseAddress,
	resourceField,
	UNSIGNED_TEXT,
	visible,
} from './fields';

const RECEIVER_EXAMPLE = 'e.g. TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';

const receiverAddress = {
	displayName: 'To',
	name: 'receiverAddress',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	placeholder: RECEIVER_EXAMPLE,
	modes: listOrHand('receivers', {
		displayName: 'By Address',
		name: 'address',
		placeholder: RECEIVER_EXAMPLE,
	}),
	description: 'The account that got the energy or bandwidth when it was delegated',
} as const satisfies Field;

/**
 * For a new delegation, the user types the address by default, because its receiver is usually not in the list of
 * earlier receivers.
 */
const newReceiverAddress = {
	...receiverAddress,
	default: { mode: 'address', value: '' },
	description: 'The account that will get the energy or bandwidth of the frozen coins',
} as const satisfies Field;

const lentResource = resourceField(
	'The resource that the coins were frozen for, and that is delegated',
);

/** The block producers of the chain can set the longest lock to a year at most. */
const MAX_LOCK_DAYS = 365;
/** The chain makes a block every three seconds. */
const BLOCKS_PER_DAY = 28_800;

const lockDays = {
	displayName: 'Lock Days',
	name: 'lockDays',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: MAX_LOCK_DAYS },
	default: 0,
	description: 'For how many days the delegation cannot be taken back. 0 for no lock.',
	parse: wholeNumberParser(0, MAX_LOCK_DAYS),
} as const satisfies Field;

interface GivenDelegation {
	readonly ownerAddress: string;
	readonly receiverAddress: string;
	readonly amount: bigint;
	readonly forResource: 'bandwidth' | 'energy';
	readonly visible: boolean;
}

/** Parses the fields that lending and taking back have in common. */
function parseDelegation(p: GivenDelegation) {
	const owner = parseAddress('From', p.ownerAddress, p.visible);
	const receiver = parseAddress('To', p.receiverAddress, p.visible);
	checkNotZeroAddress('To', receiver, { zeroAddress: ZERO_ADDRESS });
	if (owner === receiver) {
		throw new InvalidInput(
			"'To' must be another account than 'From'",
			'An account already has the use of its own frozen coins.',
		);
	}
	return {
		owner_address: owner,
		receiver_address: receiver,
		balance: p.amount,
		resource: p.forResource.toUpperCase(),
	};
}

function formatReceiver({ receiverAddress, visible: isVisible }: GivenDelegation): string {
	return formatBase58(parseAddress('To', receiverAddress, isVisible));
}

/**
 * Advises what to do about an amount that is too high, because the chain's message names a value that no field of
 * the node shows.
 */
const adviseAmount = ({ message }: RequestFailure): string | undefined =>
	/delegateBalance must be less than or equal to available/i.test(message)
		? "Only coins that are frozen for the resource and not lent already can be lent. 'Account: Get' gives them as frozenForEnergy and frozenForBandwidth: lower 'Amount', or freeze more first. Energy or bandwidth that was used lately must recover first."
		: undefined;

export const buildDelegate = buildOperation({
	name: 'Build Delegation',
	action: 'Build delegation of energy',
	description: `Build a transaction that delegates (lends) the energy or bandwidth of frozen coins to another account. ${UNSIGNED_TEXT}`,
	fields: [
		ownerAddress,
		newReceiverAddress,
		amountField('How much of the frozen coins to delegate; 1 at least'),
		lentResource,
		lockDays,
		visible,
	],
	advice: adviseAmount,
	draft: (p) => ({
		method: 'delegateresource',
		contract: 'DelegateResourceContract',
		parameters: {
			...parseDelegation(p),
			lock: p.lockDays > 0,
			lock_period: BigInt(p.lockDays * BLOCKS_PER_DAY),
		},
		visible: p.visible,
		sentence: `Lend the ${p.forResource} of ${formatCoins(p.amount)} to ${formatReceiver(p)}${p.lockDays > 0 ? `, locked for ${p.lockDays === 1 ? '1 day' : `${p.lockDays} days`}` : ''}`,
	}),
});

export const buildUndelegate = buildOperation({
	name: 'Build Undelegation',
	action: 'Build undelegation of energy',
	description: `Build a transaction that takes delegated energy or bandwidth back, unless the delegation is locked. ${UNSIGNED_TEXT}`,
	fields: [
		ownerAddress,
		receiverAddress,
		amountField('How much of the delegated coins to take back'),
		lentResource,
		visible,
	],
	draft: (p) => ({
		method: 'undelegateresource',
		contract: 'UnDelegateResourceContract',
		parameters: parseDelegation(p),
		visible: p.visible,
		sentence: `Take the ${p.forResource} of ${formatCoins(p.amount)} back from ${formatReceiver(p)}`,
	}),
});
