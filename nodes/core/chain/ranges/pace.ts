import type { RpcRequest } from '../../rpc/request';
import type { BlockRange } from '../blocks';
import type { RangeRefusal } from '../rangeRefusal';

export interface Pages {
	readonly things: readonly unknown[];
	readonly last: readonly unknown[];
	readonly requests: readonly RpcRequest[];
}

/** A part of a range, with what it holds once it was read. */
export interface RangePart {
	readonly range: BlockRange;
	readonly things?: readonly unknown[];
	/** Of what comes in pages: those so far, and what is asked for next. */
	readonly pages?: Pages;
}

export interface RefusedPart {
	readonly range: BlockRange;
	readonly refusal: RangeRefusal;
}

/** How a range is read. */
export interface Pace {
	/** How many blocks one search spans. */
	readonly span: number;
	/** How many parts are read side by side. */
	readonly width: number;
	/** The most things that a part has held so far. */
	readonly fullest: number;
	/** How many refusals there were since something was read. */
	readonly refusals: number;
}

/** How many blocks the node searches at once, whatever they hold: remembered for the run. */
export interface SpanLimit {
	blocks: number;
}

export const spanLimit = (): SpanLimit => ({ blocks: Infinity });

/** This many parts are read side by side: more where they cannot be made wider instead. */
const WIDEST = { growing: 16, grown: 64 };
/** This many things may come at the same moment. */
const THINGS_AT_ONCE = 20_000;
/** A node that keeps proposing what it then refuses is not believed any longer. */
const BELIEVED = 3;

export function firstPace({ blocks }: SpanLimit): Pace {
	return { span: blocks, width: 1, fullest: 0, refusals: 0 };
}

export function blocksIn({ from, to }: BlockRange): number {
	return to - from + 1;
}

/** Fewer blocks at a time, and one search at a time until one of them is answered. */
export function narrowed(pace: Pace, refused: readonly RefusedPart[], limit: SpanLimit): Pace {
	const refusals = pace.refusals + 1;
	const spans = refused.map(({ range, refusal: { because, blocks } }) => {
		const proposed = refusals <= BELIEVED ? blocks : undefined;
		const asked = blocksIn(range);
		const span = proposed ?? (because === 'blocks' ? usualBelow(asked) : Math.ceil(asked / 2));
		if (because === 'blocks') limit.blocks = Math.min(limit.blocks, span);
		return span;
	});
	return { ...pace, span: Math.min(pace.span, ...spans), width: 1, refusals };
}

/** The next lower one of the limits that people set: 1, 2, 5, 10, 20, 50 … */
export function usualBelow(blocks: number): number {
	const power = 10 ** (String(blocks - 1).length - 1);
	return [5, 2, 1].map((digit) => digit * power).find((usual) => usual < blocks) ?? 1;
}

/** More parts side by side, then wider ones, as long as neither an answer nor the memory is filled by them. */
export function widened(
	pace: Pace,
	read: readonly RangePart[],
	missing: number,
	limit: SpanLimit,
): Pace {
	const counts = read.map(({ things, pages }) => (things ?? pages?.things ?? []).length);
	const total = counts.reduce((sum, count) => sum + count, 0);
	const fullest = Math.max(pace.fullest, ...counts);
	const densest = Math.max(...read.map(({ range }, at) => (counts[at] ?? 0) / blocksIn(range)));
	const widest = pace.span < limit.blocks ? WIDEST.growing : WIDEST.grown;
	const room = Math.min(widest, THINGS_AT_ONCE / Math.max(...counts, 1));
	const needed = total === 0 ? Infinity : Math.ceil((missing * read.length) / total);
	const wider = densest === 0 ? Infinity : Math.floor(fullest / densest);
	const span = pace.width < room ? pace.span : Math.max(pace.span, Math.min(pace.span * 2, wider));
	return {
		span: Math.min(span, limit.blocks),
		width: Math.max(1, Math.floor(Math.min(pace.width * 2, room, needed))),
		fullest,
		refusals: 0,
	};
}

/** Cuts the parts to ask for next off the front of what was not read yet. */
export function cut(
	parts: readonly RangePart[],
	{ span, width }: Pace,
): { readonly parts: readonly RangePart[]; readonly asked: readonly RangePart[] } {
	const asked: RangePart[] = [];
	const cutParts = parts.flatMap((part) => {
		if (part.things) return [part];
		if (part.pages) {
			asked.push(part);
			return [part];
		}
		const pieces: RangePart[] = [];
		const { to } = part.range;
		let { from } = part.range;
		for (; asked.length < width && from <= to; from += span) {
			const piece = { range: { from, to: Math.min(from + span - 1, to) } };
			asked.push(piece);
			pieces.push(piece);
		}
		return from <= to ? [...pieces, { range: { from, to } }] : pieces;
	});
	return { parts: cutParts, asked };
}
