// Builds and packs the packages, for every n8n that later steps start.
import { packPackages } from '../demo/install/packages.mjs';

await packPackages();
