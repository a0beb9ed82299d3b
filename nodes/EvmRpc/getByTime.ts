import { blockAtTime } from '../core/evm/blockAtTime';
import { simpleBlock } from '../core/evm/objects/simpleBlock';
import type { Field } from '../core/operation/field';
import { path, simplify } from '../core/operation/sharedFields';
import { mapped } from '../core/operation/completing';
import { rpc } from '../core/protocols/rpc';
import { rpcOptions } from '../core/protocols/transportOptions';
import { isRecord } from '../core/values/parseJson';
import { secondsOf, time as readTime } from '../core/values/time';

const time = {
	displayName: 'Time',
	name: 'time',
	type: 'dateTime',
	required: true,
	default: '',
	placeholder: 'e.g. 2026-01-31T14:00:00Z',
	description:
		'ISO 8601 or Unix seconds. A time without a zone is in the time zone of the workflow.',
	read: readTime,
} as const satisfies Field;

export const getByTime = rpc({
	name: 'Get by Time',
	action: 'Get a block by time',
	description: 'Get the last block at or before a time',
	fields: [time, simplify, path('/'), rpcOptions()],
	begin: (p, run) =>
		mapped(blockAtTime(p.path, secondsOf(p.time, run.timezone)), (block) =>
			p.simplify && isRecord(block) ? simpleBlock(block) : block,
		),
});
