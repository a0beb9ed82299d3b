import { buildFingerprint } from '../chain/cursor';
import { toStartPoint, type parseStart, type StartPoint } from '../chain/startAt';
import type { Field } from '../operation/field';
import type { ParameterSource } from '../operation/parameters';
import { isRecord } from '../values/parse';

/** Where a trigger begins, as set by the option Start At. */
export interface Start {
	/**
	 * A fingerprint of the text that the user entered. After a change of the text, the trigger begins at the new start.
	 */
	readonly name: string;
	readonly point: StartPoint;
}

interface StartOption {
	/** The collection with the option. */
	readonly options: Field;
	/** Its value. */
	readonly given: ReturnType<typeof parseStart>;
	readonly timezone: string;
}

/**
 * Reads where a trigger begins; undefined if the option is empty. Changes are found by the text of an expression, not
 * by its value. A value such as the present time would make the trigger begin again with each poll.
 */
export function readStart(
	source: ParameterSource,
	{ options, given, timezone }: StartOption,
): Start | undefined {
	if (!given) return undefined;
	const written = source(options, 0, true);
	const text = isRecord(written) ? written.startAt : written;
	return {
		name: buildFingerprint([typeof text === 'string' ? text.trim() : JSON.stringify(text)]),
		point: toStartPoint(given, timezone),
	};
}
