import type { Access } from '../../cases/case.mts';
import { ours, type Node } from '../workflows.mts';

/** A node of a package as n8n makes a tool of it. */
export const toolOf = (type: string, access: Access, parameters: object): Node =>
	ours(`${type}Tool`, access, { descriptionType: 'auto', ...parameters });

/** A field that is left to the model. */
export const fromModel = (name: string) => `={{ $fromAI('${name}', 'The ${name}', 'string') }}`;
