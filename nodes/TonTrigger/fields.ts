import { eventFields } from '../core/operation/panel';
import { createParameterParser, type ParameterSource } from '../core/operation/parameters';
import { authentication } from '../core/operation/sharedFields';
import { restOptions } from '../core/operation/transportOptions';
import { minAmountExcept } from '../fields/minAmount';
import { startAtTime } from '../fields/pollFields';
import { events } from './events';
import { value } from './value';

/** For payments in coins, a field sets the minimum. */
export const options = restOptions(minAmountExcept('payment', 'value'), startAtTime);

export const [event, ...ownFields] = eventFields({ ...events, value }, 'payment');

export const fields = [authentication, event, ...ownFields, options];

/** Reads what the user set. */
export function parseOptions(source: ParameterSource) {
	return createParameterParser(source, [options])(0).options;
}
