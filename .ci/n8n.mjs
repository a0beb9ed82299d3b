// Installs the n8n that the e2e tests run.
import { installN8n } from '../demo/install/install.mjs';

await installN8n();
