import { present } from '../../core/evm/objects/chainObject';
import { logView, type LogForm } from '../../core/evm/follow/logView';
import { readableLog, topicsOf, type EventChoice } from '../../core/evm/logs/eventChoice';
import { addresses, eventField, topics, where } from '../../core/evm/logs/fields';
import { simplify } from '../../core/operation/sharedFields';
import { ChainFollower } from '../follow/chainFollower';
import { doubts } from './doubts';
import { triggerEvent } from '../follow/triggerEvent';

const signature = eventField('Event Signature', 'eventSignature');

export const log = triggerEvent({
	name: 'Log',
	description: 'When a contract writes a log (an event)',
	fields: [addresses, signature, where, topics, simplify],
	follower: (p, around) => {
		const choice = { event: p.eventSignature, where: p.where, topics: p.topics };
		const filter = { addresses: p.addresses, topics: topicsOf(choice, signature.displayName) };
		const choices = ['log', filter.addresses, JSON.stringify(filter.topics)];
		return new ChainFollower(around, choices, (ask) =>
			logView(ask, {
				filters: [filter],
				form: p.simplify ? readable(choice) : whole,
				isTimed: p.simplify,
				doubt: doubts(around),
			}),
		);
	},
});

function readable(choice: EventChoice): LogForm {
	return async (logs, timeOf) =>
		await Promise.resolve(
			logs.map((one) => ({ ...readableLog(choice, one), ...present({ timestamp: timeOf(one) }) })),
		);
}

const whole: LogForm = async (logs) => await Promise.resolve(logs);
