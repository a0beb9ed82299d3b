import { countBytes, defineNode } from '../harness/definitions.mts';
import { NODES } from '../harness/nodes.mts';

/**
 * An AI model reads every byte of a definition, so its size is limited. The limits are a little above the largest
 * definitions of today.
 */
const LARGEST_NODE = 48_000;
const LARGEST_OPERATION = 7_500;
/** A trigger's definition contains all its events: today the largest has 9 kB for six events. */
const LARGEST_TRIGGER = 9_500;

const definitions = NODES.map((node) => defineNode(node, 'n8n-nodes-chain-infra'));

test.each(definitions)('a model can read what $name does, whole', ({ whole }) => {
	expect(countBytes(whole)).toBeGreaterThan(500);
	expect(countBytes(whole)).toBeLessThanOrEqual(LARGEST_NODE);
});

test.each(definitions)('a model can read each operation of $name', ({ name, operations }) => {
	const isTrigger = name.endsWith('Trigger');
	const sizes = [...operations].map(([name, text]) => [name, countBytes(text)] as const);
	expect(sizes.length).toBeGreaterThan(0);
	const largest = isTrigger ? LARGEST_TRIGGER : LARGEST_OPERATION;
	expect(sizes.filter(([, size]) => size > largest)).toEqual([]);
});

const hinted = NODES.filter(({ description }) => description.builderHint?.searchHint);

test.each(hinted)('a model reads before $description.name what goes with it', (node) => {
	const { whole } = defineNode(node, 'n8n-nodes-chain-infra');
	expect(whole).toContain(`\n * @builderHint ${node.description.builderHint!.searchHint!}\n`);
});

test.each([
	['evmRpc', 'transaction.send'],
	['pay', 'finish'],
	['signer', 'prepared.sign'],
	['stark', 'transaction.send'],
	['ton', 'transaction.send'],
	['witnessWallet', 'witness.broadcast'],
])('%s leaves nothing for the user to fill in at %s', (name, operation) => {
	const { whole, operations } = definitions.find((one) => one.name === name)!;
	expect(operations.get(operation) ?? whole).toContain(' * @placeholderSupported false\n');
});
