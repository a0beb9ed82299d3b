import { openSweep as openEvmSweep } from '../evm/sweep/sweep';
import { openSweep as openWitnessSweep } from '../witness/sweep/sweep';

/**
 * The families of chains that support sweeps: collecting the balances of many addresses at one address. In other
 * families, addresses cannot be derived from an account key.
 */
export const SWEEPS = {
	evm: { protocol: 'rpc', open: openEvmSweep },
	witness: { protocol: 'rest', open: openWitnessSweep },
} as const;

export type SweptFamily = keyof typeof SWEEPS;
