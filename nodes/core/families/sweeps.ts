import { openSweep as openEvmSweep } from '../evm/sweep/sweep';
import { openSweep as openWitnessSweep } from '../witness/sweep/sweep';

/**
 * The chain families whose addresses can be swept. The addresses of other families cannot be derived from an account
 * key.
 */
export const SWEEPS = {
	evm: { protocol: 'rpc', open: openEvmSweep },
	witness: { protocol: 'rest', open: openWitnessSweep },
} as const;

export type SweptFamily = keyof typeof SWEEPS;
