import { createLeastAmount } from '../../../nodes/core/chain/payment';

/** Payments of any amount are wanted. */
export const ANY_AMOUNT = createLeastAmount(undefined, () => {});
