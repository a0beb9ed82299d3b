import { findIntegerOutput } from '../../chain/outputs';
import type { AbiFunction } from './entry';

/** Finds the integer among the outputs of a function that is meant, by its name, its position, or as the only one. */
export function findAbiOutput(called: AbiFunction, wanted: string): number {
	return findIntegerOutput(called, wanted, ({ form }) => form === 'integer');
}
