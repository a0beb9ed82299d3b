import { formatReason, type Frame, type Panic } from './machine/execution.mts';
import { toHex } from './machine/felts.mts';
import { isFrom, type Version } from './versions.mts';

/** Formats the reason of a failure. Newer nodes put a text in quotes if it is longer than a felt. */
const formatPanic = (panic: Panic, version: Version) => formatReason(panic, isFrom(version, '0.9'));

/** Formats the reason of a failure as one text, with all contracts that the failure passed through. */
export function formatRevertText(panic: Panic, version: Version): string {
	const reason = formatPanic(panic, version);
	const last = panic.frames.at(-1);
	if (!last) return reason;
	const steps = panic.frames.map((frame, index) => {
		const traceback =
			'Error at pc=0:4835:\nCairo traceback (most recent call last):\nUnknown location (pc=0:67)\n';
		return `${index}: Error in the called contract (${formatFrame(frame)}):\n${traceback}`;
	});
	const why = `Execution failed. Failure reason:\nError in contract (${formatFrame(last)}):\n${reason}.\n`;
	return `Transaction execution has failed:\n${steps.join('\n')}\n${why}`;
}

const formatFrame = ({ contract, classHash, selector }: Frame) =>
	`contract address: ${toHex(contract)}, class hash: ${toHex(classHash)}, selector: ${toHex(selector)}`;

/** Formats the error of a failed run. From version 0.8 on, the failed calls are nested in it, the outermost first. */
export function formatError(panic: Panic, version: Version): unknown {
	if (!isFrom(version, '0.8')) return formatRevertText(panic, version);
	return panic.frames.reduceRight<unknown>(
		(error, { contract, classHash, selector }) => ({
			contract_address: toHex(contract),
			class_hash: toHex(classHash),
			selector: toHex(selector),
			error,
		}),
		formatPanic(panic, version),
	);
}
