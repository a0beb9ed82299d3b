import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** Collects all garbage, so that a memory measurement does not count unused objects. */
export const collectGarbage = runInNewContext('gc') as () => void;
