import type { Fault } from '../fault.mts';
import { answers } from './answers.mts';
import { refusedBatches, replies } from './batches.mts';
import { connections } from './connections.mts';
import { limits } from './limits.mts';
import { places } from './places.mts';
import { failures, refusals } from './statuses.mts';
import { stops } from './stops.mts';

export const faults: readonly Fault[] = [
	...refusals,
	...failures,
	...limits,
	...connections,
	...answers,
	...replies,
	...refusedBatches,
	...places,
	...stops,
];
