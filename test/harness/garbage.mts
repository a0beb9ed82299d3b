import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** Collects all garbage, so that a measurement counts only the memory that is needed. */
export const collectGarbage = runInNewContext('gc') as () => void;
