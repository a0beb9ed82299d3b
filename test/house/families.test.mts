import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The steps that are the same in every family, each in a file or folder of this name. */
const STEPS = ['address', 'reader', 'blocks', 'tokens', 'prepare', 'send', 'wait', 'follow'];

/** What a family does not have, and why. */
const MISSING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	evm: { reader: 'its nodes are called by the documented methods as they are' },
	witness: {},
	ton: { blocks: 'its service is an index of accounts' },
	stark: {},
};

const ROOT = join(__dirname, '..', '..');

const hasStep = (family: string, step: string) =>
	[`${step}.ts`, step].some((name) => existsSync(join(ROOT, 'nodes/core', family, name)));

describe.each(Object.entries(MISSING))('the family %s', (family, missing) => {
	test.each(STEPS)('has its %s under this name, or says why it has none', (step) => {
		expect([step, hasStep(family, step)]).toEqual([step, !(step in missing)]);
	});
});
