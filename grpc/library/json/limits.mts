/** The protobuf library goes no deeper. */
export const DEEPEST = 100;

/** The name of the type that the URL in an Any stands for. */
export function typeIn(url: string): string {
	return url.slice(url.lastIndexOf('/') + 1);
}
