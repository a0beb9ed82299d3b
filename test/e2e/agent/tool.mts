import { node, ours, TESTED, type Access, type Node } from '../workflows.mts';
import { credential } from '../world.mts';

/** A node of the package as n8n makes a tool of it. */
export const toolOf = (type: string, access: Access, parameters: object): Node =>
	ours(`${type}Tool`, access, { descriptionType: 'auto', ...parameters });

/** The same for the node of the second package. */
export function grpcTool(parameters: object): Node {
	const credentials = { chainNodeXTokenApi: credential('chainNodeXTokenApi') };
	const given = { descriptionType: 'auto', ...parameters };
	return node(TESTED, 'n8n-nodes-chain-infra-grpc.grpcTool', given, { credentials });
}

/** A field that is left to the model. */
export const fromModel = (name: string) => `={{ $fromAI('${name}', 'The ${name}', 'string') }}`;
