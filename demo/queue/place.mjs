// This script builds the packages and puts them into a folder as n8n's own installer does. demo/queue/Dockerfile runs
// it.
import { packPackages, placePackages } from '../install/packages.mjs';

await packPackages();
await placePackages(process.argv[2]);
