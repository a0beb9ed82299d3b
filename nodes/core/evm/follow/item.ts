import type { ChainObject } from '../objects/chainObject';
import type { ChainView } from './advance';
import type { Emission } from './cursor';

/** What is emitted, as the user sees it. */
export function itemOf({ json, fate }: Emission, { isTakenBack }: ChainView): ChainObject {
	return isTakenBack
		? { ...json, removed: fate === 'removed' }
		: { ...json, reorganized: fate === 'replacing' };
}
