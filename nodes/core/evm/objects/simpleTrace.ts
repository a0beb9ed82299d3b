import { asDecimal, asNumber, present, type ChainObject } from './chainObject';
import { isRecord } from '../../values/parseJson';

/** Calls that run the code of another account in the caller's place: the value that they name goes nowhere. */
const IN_PLACE: readonly unknown[] = ['delegatecall', 'callcode'];

/** The fields of a trace that automations use. Its kinds name their parties differently. */
export function simpleTrace(trace: ChainObject): ChainObject {
	const action = isRecord(trace.action) ? trace.action : {};
	const result = isRecord(trace.result) ? trace.result : {};
	return {
		...present({
			blockNumber: asNumber(trace.blockNumber),
			transactionHash: trace.transactionHash ?? null,
			transactionPosition: asNumber(trace.transactionPosition),
			traceAddress: trace.traceAddress ?? null,
			type: trace.type ?? null,
			callType: action.callType ?? null,
			from: action.from ?? action.address ?? null,
		}),
		// A contract that could not be created has no address.
		to: action.to ?? result.address ?? action.refundAddress ?? action.author ?? null,
		...present({
			value: IN_PLACE.includes(action.callType) ? '0' : asDecimal(action.value ?? action.balance),
			gasUsed: asNumber(result.gasUsed),
			error: trace.error ?? null,
		}),
	};
}
