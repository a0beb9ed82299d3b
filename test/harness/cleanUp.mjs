import { rmSync } from 'node:fs';
import { join } from 'node:path';

/** After all tests: the files that n8n kept for them. */
export default function cleanUp() {
	rmSync(join(import.meta.dirname, '..', '..', '.cache', 'test'), { recursive: true, force: true });
}
