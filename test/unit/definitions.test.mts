import { countBytes, defineNode } from '../harness/definitions.mts';
import { NODES } from '../harness/nodes.mts';

/** What the largest node and operation have. Each new byte is one that every model reads. */
const LARGEST_NODE = 40_000;
const LARGEST_OPERATION = 6_000;
/** The operation that prepares any transaction has more, 1.1 kB of which are types of n8n's own and what it gives, and does not grow. */
const LARGER: Readonly<Record<string, number>> = { 'transaction.prepare': 7_000 };

const definitions = NODES.map((node) => defineNode(node, 'n8n-nodes-chain-infra'));

test.each(definitions)('a model can read what $name does, whole', ({ whole }) => {
	expect(countBytes(whole)).toBeGreaterThan(500);
	expect(countBytes(whole)).toBeLessThanOrEqual(LARGEST_NODE);
});

test.each(definitions)('a model can read each operation of $name', ({ operations }) => {
	const sizes = [...operations].map(([name, text]) => [name, countBytes(text)] as const);
	expect(sizes.length).toBeGreaterThan(0);
	expect(sizes.filter(([name, size]) => size > (LARGER[name] ?? LARGEST_OPERATION))).toEqual([]);
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
