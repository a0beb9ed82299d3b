import { fail } from '../../problem.mts';

/** Refuses a .proto file, and says where it is wrong. */
export function invalidProto(file: string, line: number | string, fault: string): never {
	return fail({
		kind: 'refused',
		message: `'Proto Files' cannot be used: ${file}, line ${line}: ${shortened(fault)}`,
	});
}

const MAX_CHARACTERS = 200;

/** A fault may quote what it stumbled over, however long that is. */
function shortened(fault: string): string {
	return fault.length > MAX_CHARACTERS ? `${fault.slice(0, MAX_CHARACTERS)}…` : fault;
}
