import type { Access } from '../../cases/case.mts';
import { ours, type Node } from '../workflows.mts';

/** Builds the tool that n8n makes of a node. */
export const toolOf = (type: string, access: Access, parameters: object): Node =>
	ours(`${type}Tool`, access, { descriptionType: 'auto', ...parameters });

/** Builds an expression that leaves a field to the model. */
export const fromModel = (name: string) => `={{ $fromAI('${name}', 'The ${name}', 'string') }}`;
