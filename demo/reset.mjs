import { rmSync } from 'node:fs';
import { demoFolder } from './paths.mjs';

rmSync(demoFolder, { recursive: true, force: true });
console.log('The data of the demo is gone. The installed n8n stays in its cache.');
