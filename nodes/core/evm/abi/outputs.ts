import { findIntegerOutput } from '../../chain/outputs';
import type { AbiFunction } from './entry';

/** Finds the wanted integer among the outputs of a function: by its name, by its position, or as the only integer. */
export function findAbiOutput(called: AbiFunction, wanted: string): number {
	return findIntegerOutput(called, wanted, ({ form }) => form === 'integer');
}
