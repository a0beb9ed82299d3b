import { createLeastAmount } from '../../../nodes/core/chain/payment';

/** The minimum of a test that takes payments of any amount. */
export const ANY_AMOUNT = createLeastAmount(undefined, () => {});
