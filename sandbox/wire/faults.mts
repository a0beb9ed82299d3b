import type { ServerName } from '../names.mts';
import { getCalls, type RecordEntry } from './record.mts';

export type FaultAction =
	| { status: number; body?: unknown; headers?: Record<string, string> }
	| { redirect: string; status?: number }
	| { reset: 'before' | 'after' }
	| { stall: number }
	| { delay: number }
	| { truncate: true }
	| { patch: Record<string, unknown> }
	| { echo: true };

export interface FaultRule {
	room?: ServerName;
	method?: string;
	/** A regular expression on the path; on the node, on what follows the token. */
	path?: string;
	rpcMethod?: string;
	/** This many matching requests pass first. */
	skip: number;
	/** How often the fault happens; -1 means always. */
	times: number;
	do: FaultAction;
}

/** The fault that this request meets: the first rule that matches it, used up by one. */
export function takeNextFault(
	state: { faults: FaultRule[] },
	entry: RecordEntry,
): FaultAction | undefined {
	for (const rule of state.faults) {
		if (!matchesRule(rule, entry)) continue;
		if (rule.skip > 0) {
			rule.skip -= 1;
			continue;
		}
		if (rule.times > 0) rule.times -= 1;
		if (rule.times === 0) state.faults = state.faults.filter((other) => other !== rule);
		return rule.do;
	}
	return undefined;
}

function matchesRule(rule: FaultRule, entry: RecordEntry): boolean {
	if (rule.room !== undefined && rule.room !== entry.room) return false;
	if (rule.method !== undefined && rule.method !== entry.method) return false;
	if (rule.path !== undefined && !new RegExp(rule.path).test(entry.path)) return false;
	return rule.rpcMethod === undefined || getRpcMethods(entry.body).includes(rule.rpcMethod);
}

const getRpcMethods = (body: unknown) =>
	getCalls(body).map((call) => (call as { method?: unknown } | null)?.method);
