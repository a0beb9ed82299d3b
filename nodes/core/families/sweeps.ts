import { openSweep } from '../evm/sweep/sweep';

/** The families whose addresses can be swept: those of the others do not follow from an account key. */
export const SWEEPS = { evm: openSweep } as const;

export type SweptFamily = keyof typeof SWEEPS;
