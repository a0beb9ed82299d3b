import { present } from '../../core/evm/chainObject';
import { logView, type LogForm } from '../../core/evm/follow/logView';
import { simpleLog } from '../../core/evm/simpleLog';
import type { Field } from '../../core/operation/field';
import { simplify } from '../../core/operation/sharedFields';
import { evmAddress } from '../../core/values/hex';
import { listOf } from '../../core/values/json';
import { ChainFollower } from '../follow/chainFollower';
import { topics as readTopics } from '../../core/evm/logs/topics';
import { doubts } from './doubts';
import { triggerEvent } from './triggerEvent';

const addresses = {
	displayName: 'Addresses',
	name: 'addresses',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description:
		'Only logs of these contracts: comma-separated, or an array. Empty for the logs of all contracts.',
	read: listOf(evmAddress),
} as const satisfies Field;

const topics = {
	displayName: 'Topics',
	name: 'topics',
	type: 'string',
	default: '',
	placeholder: 'e.g. Transfer(address,address,uint256)',
	description:
		'Filter by topic position: comma-separated, or an array. Each is a hash, an address, the signature of an event, or empty for any; in an array also a list of alternatives.',
	read: readTopics,
} as const satisfies Field;

export const log = triggerEvent({
	name: 'Log',
	description: 'When a contract writes a log (an event)',
	fields: [addresses, topics, simplify],
	follower: (p, around) =>
		new ChainFollower(around, ['log', p.addresses, JSON.stringify(p.topics)], (ask) =>
			logView(ask, {
				filters: [p],
				form: p.simplify ? simple : whole,
				isTimed: p.simplify,
				doubt: doubts(around),
			}),
		),
});

const simple: LogForm = async (logs, timeOf) =>
	await Promise.resolve(
		logs.map((one) => ({ ...simpleLog(one), ...present({ timestamp: timeOf(one) }) })),
	);

const whole: LogForm = async (logs) => await Promise.resolve(logs);
