// Prints the folder of a Node 24, and installs one in the cache if there is none.
import { dirname } from 'node:path';
import { findOrInstallNode24 } from '../demo/install/node.mjs';

console.log(dirname(await findOrInstallNode24()));
