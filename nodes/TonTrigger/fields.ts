import { eventFields } from '../core/operation/panel';
import { createParameterParser, type ParameterSource } from '../core/operation/parameters';
import { authentication } from '../core/operation/sharedFields';
import { restOptions } from '../core/operation/transportOptions';
import { minAmountExcept } from '../fields/minAmount';
import { startAtTime } from '../fields/pollFields';
import { EVENTS } from './events';
import { value } from './value';

/** For payments in coins, a field sets the minimum. */
export const triggerOptions = restOptions(minAmountExcept('payment', 'value'), startAtTime);

export const [event, ...ownFields] = eventFields({ ...EVENTS, value }, 'payment');

export const fields = [authentication, event, ...ownFields, triggerOptions];

/** Reads what the user set. */
export function parseOptions(source: ParameterSource) {
	return createParameterParser(source, [triggerOptions])(0).options;
}
