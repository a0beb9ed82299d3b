// Builds and packs the packages, for every n8n that the steps after it start.
import { packPackages } from '../demo/install/packages.mjs';

await packPackages();
