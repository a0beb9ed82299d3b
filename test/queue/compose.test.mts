// This file reads compose.yaml with a compose parser, and starts its services as processes instead of containers.
// It first checks that the needed programs are there, and only then loads the rest.
import './folder.mts';
import { findMissingPrograms } from '../../demo/queue/programs.mts';
import '../e2e/folder.mts';
import { findParser } from './compose/file.mts';

const missing = [...(findParser() ? [] : ['docker-compose']), ...findMissingPrograms()];

if (missing.length > 0)
	throw new Error(`compose.yaml needs ${missing.join(' and ')}, which cannot be found here`);
await import('./compose/everything.mts');
