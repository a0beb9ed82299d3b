import { NodeHelpers, type INode, type INodeParameters, type INodeType } from 'n8n-workflow';
import { EvmRpc } from '../../../nodes/EvmRpc/EvmRpc.node';
import { WitnessWallet } from '../../../nodes/WitnessWallet/WitnessWallet.node';

/** Returns the parameters that n8n passes to a node whose workflow stores the given parameters. */
function keptOf({ description }: INodeType, stored: INodeParameters) {
	const version = { typeVersion: 1 } as INode;
	const { properties } = description;
	const kept = NodeHelpers.getNodeParameters(
		properties,
		stored,
		false,
		false,
		version,
		description,
	);
	return { function: kept?.function, functionName: kept?.functionName };
}

const DECLARED = 'balanceOf(address owner) view returns (uint256)';
const SEVERAL = [
	{ function: 'function f() function g()' },
	{ function: 'f()\rg()' },
	{ function: ['f()', 'g()'] },
	{ function: '[{"name":"f"},{"name":"g"}]' },
	{ function: 'f(); g()' },
];

describe.each([
	['Chain EVM RPC', new EvmRpc()],
	['Chain Witness Wallet', new WitnessWallet()],
])('a function that a workflow with %s holds', (_, node) => {
	const stored = { resource: 'contract', operation: 'call' };

	test.each([...SEVERAL, { function: '={{ $json.abi }}' }])(
		'is one of %j, by its name',
		(given) => {
			const both = { ...given, functionName: 'g' };
			expect(keptOf(node, { ...stored, ...both })).toEqual(both);
		},
	);

	test('is declared alone', () => {
		const given = { function: DECLARED };
		expect(keptOf(node, { ...stored, ...given })).toMatchObject(given);
	});

	test('is declared beside the name of another one, which is refused later and not forgotten', () => {
		for (const functionName of ['gone', '={{ $json.name }}']) {
			const given = { function: DECLARED, functionName };
			expect(keptOf(node, { ...stored, ...given })).toEqual(given);
		}
	});

	test('is the choice alone', () => {
		const given = { functionName: DECLARED };
		expect(keptOf(node, { ...stored, ...given })).toMatchObject(given);
	});
});
