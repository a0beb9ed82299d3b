/** Throws in a place where an expression is needed, such as after `??`. In a statement, use `throw`. */
export function raise(error: Error): never {
	throw error;
}
