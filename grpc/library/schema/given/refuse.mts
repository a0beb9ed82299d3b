import { trouble } from '../../problem.mts';

/** Refuses a .proto file, and says where it is wrong. */
export function refuse(file: string, line: number | string, fault: string): never {
	return trouble({
		kind: 'refused',
		message: `'Proto Files' cannot be used: ${file}, line ${line}: ${shortened(fault)}`,
	});
}

const MOST_CHARACTERS = 200;

/** A fault may quote what it stumbled over, however long that is. */
function shortened(fault: string): string {
	return fault.length > MOST_CHARACTERS ? `${fault.slice(0, MOST_CHARACTERS)}…` : fault;
}
