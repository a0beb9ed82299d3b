import { rmSync } from 'node:fs';

/** Removes the files that n8n kept for the tests. */
export default function cleanUp() {
	rmSync(process.env.TEST_FOLDER, { recursive: true, force: true });
}
