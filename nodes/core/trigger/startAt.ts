import { buildFingerprint } from '../chain/cursor';
import { toStartPoint, type parseStart, type StartPoint } from '../chain/startAt';
import type { Field } from '../operation/field';
import type { ParameterSource } from '../operation/parameters';
import { isRecord } from '../values/parse';

/** Where a trigger begins, by the option Start At. */
export interface Start {
	/** A fingerprint of the user's text. After a change of the text, the trigger begins there again. */
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
 * Reads where a trigger begins; undefined where the option is empty. An expression counts as it is written: its value may
 * move with the clock, and the trigger would begin anew with each poll.
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
