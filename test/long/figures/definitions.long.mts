import { countBytes, defineNode, type Definition } from '../../harness/definitions.mts';
import { figure } from '../../harness/figure.mts';
import { NODES } from '../../harness/nodes.mts';

const inKilobytes = (text: string) => `${(countBytes(text) / 1000).toFixed(1)} kB`.padStart(9);
const bySize = <Item,>(items: readonly Item[], textOf: (item: Item) => string) =>
	[...items].sort((one, other) => countBytes(textOf(other)) - countBytes(textOf(one)));

test("what n8n's generator writes of each node and each operation", () => {
	const definitions = NODES.map((node) => defineNode(node, 'n8n-nodes-chain-infra'));
	for (const definition of bySize(definitions, ({ whole }) => whole)) printDefinition(definition);
	expect(definitions.length).toBeGreaterThan(0);
});

function printDefinition({ name, whole, operations }: Definition): void {
	figure(`${inKilobytes(whole)}  ${name}`);
	const named = [...operations].filter(([operation]) => operation !== '');
	for (const [operation, text] of bySize(named, ([, content]) => content))
		figure(`${inKilobytes(text)}    ${operation}`);
}
