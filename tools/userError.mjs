/** An error that the user can fix. It is shown as a single sentence without a stack. */
export class UserError extends Error {}

/** Formats the error of a failed command. */
export function formatError(error) {
	if (error instanceof UserError) return error.message;
	const where = error?.path ?? error?.dest;
	if (['ENOSPC', 'EDQUOT'].includes(error?.code))
		return `There is no space left${where ? ` for ${where}` : ' on the disk'}. Free some space, and start again.`;
	if (['EACCES', 'EROFS'].includes(error?.code) && where)
		return `${where} cannot be written to (${error.code}). Make it writable, and start again.`;
	return error;
}
