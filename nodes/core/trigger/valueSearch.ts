import type { FollowedChain } from '../chain/follow';
import type { ValuePosition } from '../chain/watchedValue';
import type { Field } from '../operation/field';
import { createParameterParser, type ParameterSource } from '../operation/parameters';
import { buildSearch } from './poll';
import type { TriggerEvent } from './triggerEvent';

/** Whether the user chose the event Value, which is read and not searched. */
export function isValueChosen(parameters: ParameterSource, menu: Field): boolean {
	return createParameterParser(parameters, [menu])(0)[menu.name] === 'value';
}

/** What a poll of a value reads. A sample always exists: the present value. */
export function buildValueSearch<Source>(
	value: TriggerEvent<Source, FollowedChain<ValuePosition>>,
	parameters: ParameterSource,
	source: Source,
) {
	const { createView, ...choice } = value.choose(parameters);
	const sample = { none: 'No value was read', check: 'the fields' };
	return buildSearch({ ...choice, followed: createView(source), sample });
}
