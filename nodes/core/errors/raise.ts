/** Throws where an expression is wanted, such as after `??`. A statement says `throw`. */
export function raise(error: Error): never {
	throw error;
}
