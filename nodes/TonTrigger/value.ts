import type { FollowedChain } from '../core/chain/follow';
import type { RestReader } from '../core/chain/reader';
import { followValue, type ValuePosition } from '../core/chain/watchedValue';
import type { Field, Params } from '../core/operation/field';
import { showWhile } from '../core/operation/sharedFields';
import { formatTonAddresses, parseTonAccount } from '../core/ton/address';
import { createValueReader, type TonMeasure } from '../core/ton/watchedValues';
import { triggerEvent } from '../core/trigger/triggerEvent';
import {
	getConditionChoices,
	conditionFields,
	measureField,
	readCondition,
} from '../fields/valueFields';
import { TOKEN_NAME } from '../fields/tokenNames';

const address = {
	displayName: 'Address',
	name: 'address',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. UQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k8OV',
	description: 'The account whose balance to watch',
	parse: parseTonAccount,
} as const satisfies Field;

const token = {
	...address,
	displayName: 'Jetton',
	name: TOKEN_NAME,
	placeholder: 'e.g. EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
	description: 'The jetton whose balance to watch: the address of its master contract',
} as const satisfies Field;

const fields = [
	measureField('coinBalance', 'tokenBalance'),
	address,
	...showWhile({ measure: ['tokenBalance'] }, [token] as const),
	...conditionFields,
] as const;

interface ValueSource {
	readonly reader: RestReader;
}

export const value = triggerEvent<typeof fields, ValueSource, FollowedChain<ValuePosition>>({
	name: 'Value',
	action: 'On value beyond threshold (low balance)',
	description:
		'Starts the workflow when a balance falls below or rises above a threshold, or changes by a given amount',
	fields,
	getChoices: (p) => ['value', ...getMeasureChoices(p), ...getConditionChoices(readCondition(p))],
	createView: (p, { reader }) => {
		const measure = readMeasure(p);
		const watched = { measure: measure.kind, condition: readCondition(p) };
		return followValue(createValueReader(reader, measure), watched);
	},
});

function readMeasure({
	measure: kind,
	address: owner,
	token: master,
}: Params<typeof fields>): TonMeasure {
	return kind === 'tokenBalance' && master
		? { kind, address: owner, token: master }
		: { kind: 'coinBalance', address: owner };
}

/** Gives the user's choices in a form that does not depend on how the user wrote the addresses. */
function getMeasureChoices(p: Params<typeof fields>): string[] {
	const measure = readMeasure(p);
	const addresses = 'token' in measure ? [measure.address, measure.token] : [measure.address];
	return [measure.kind, ...addresses.map((one) => formatTonAddresses(one).raw)];
}
