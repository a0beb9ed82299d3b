import type { Access, Node, Parameters } from '../workflows.mts';

export type Json = Record<string, unknown>;

/** One operation, run in a workflow with each authentication that its node has. */
export interface Case {
	type: string;
	resource?: string;
	operation: string;
	/** Distinguishes cases of the same operation. */
	about?: string;
	/** The default is by token and by basic auth. */
	accesses?: readonly Access[];
	/** The nodes between the trigger and the tested one. */
	before?: readonly Node[];
	parameters?: (access: Access) => Parameters | Promise<Parameters>;
	check: (items: Json[]) => void | Promise<void>;
}
