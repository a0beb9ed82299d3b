import { trouble } from '../../problem.mts';

/** Refuses a .proto file, and says where it is wrong. */
export function refuse(file: string, line: number | string, fault: string): never {
	return trouble({
		kind: 'refused',
		message: `'Proto Files' cannot be used: ${file}, line ${line}: ${fault}`,
	});
}
