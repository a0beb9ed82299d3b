// Forgets what the demo remembers, unless it is running.
import { rmSync } from 'node:fs';
import { claimData } from './tools/claim.mjs';
import { dataFolder } from './tools/paths.mjs';
import { wordsOf } from './tools/trouble.mjs';

try {
	claimData();
	rmSync(dataFolder, { recursive: true, force: true });
	console.log('The data of the demo is gone. The installed n8n stays in its cache.');
} catch (error) {
	console.error(wordsOf(error));
	process.exitCode = 1;
}
