import { rmSync } from 'node:fs';

/** After all tests: the files that n8n kept for them. */
export default function cleanUp() {
	rmSync(process.env.TEST_FOLDER, { recursive: true, force: true });
}
