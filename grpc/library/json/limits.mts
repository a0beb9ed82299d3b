/** The protobuf library goes no deeper. */
export const MAX_DEPTH = 100;

/** The name of the type that the URL in an Any stands for. */
export function typeNameInUrl(url: string): string {
	return url.slice(url.lastIndexOf('/') + 1);
}
