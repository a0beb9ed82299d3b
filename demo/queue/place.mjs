// Builds both packages and puts them into a folder as n8n's own installer does; demo/queue/Dockerfile runs this.
import { packPackages, placePackages } from '../install/packages.mjs';

await packPackages();
await placePackages(process.argv[2]);
