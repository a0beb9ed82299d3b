type ClassOf<Failure> = new (message: string) => Failure;

/** What comes of the work, or the failure of this class that ends it. */
export function attempt<Result, Failure extends Error>(
	expected: ClassOf<Failure>,
	work: () => Result,
): Result | Failure {
	try {
		return work();
	} catch (error) {
		return error instanceof expected ? error : rethrow(error);
	}
}

function rethrow(error: unknown): never {
	throw error;
}
