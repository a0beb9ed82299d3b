import { createReceiptView } from '../core/evm/follow/receipts';
import { showWhile } from '../core/operation/sharedFields';
import { triggerEvent } from '../core/trigger/triggerEvent';
import { InvalidValue, type Parse } from '../core/values/parse';
import { raise } from '../core/errors/raise';
import {
	getKeyChoices,
	getWatchedAccounts,
	watch,
	watchedCount,
	watchedFirst,
	watchedKey,
} from '../fields/accountKeyFields';
import { tokenTransfer as ofAddresses, watchTransfers } from '../fields/sharedTriggerEvents';
import { accounts, direction, tokens } from '../fields/transferFields';

const parseSomeTokens: Parse<string[]> = (given) => {
	const list = tokens.parse(given);
	return list.length > 0 ? list : raise(new InvalidValue('at least one address of a token'));
};

/**
 * Tokens are required with an account key. Otherwise worthless tokens that anybody can make would start the
 * workflow.
 */
const tokensToReceive = {
	...tokens,
	required: true,
	hint: 'Only the address identifies a token: anybody can use the name of another token',
	parse: parseSomeTokens,
} as const;

const named = showWhile({ watch: ['addresses'] }, [tokens, accounts, direction]);
const received = showWhile({ watch: ['accountKey'] }, [tokensToReceive]);

const { name, action, description } = ofAddresses;

export const tokenTransfer = triggerEvent({
	name,
	action,
	description,
	fields: [watch, watchedKey, watchedCount, watchedFirst, ...named, ...received],
	getAccounts: getWatchedAccounts,
	getChoices: (p) => [
		'tokenTransfer',
		...(p.watch === 'accountKey' ? getKeyChoices(p) : []),
		p.tokens ?? [],
		...(p.watch === 'accountKey' ? [] : [p.accounts ?? [], p.direction ?? direction.default]),
	],
	createView: (p, { blocks, reportDoubt, least }, watched) => {
		const { tokens: wanted = [], accounts: parties = [], direction: side = 'any' } = p;
		return watched
			? createReceiptView(blocks, { tokens: wanted, accounts: watched, least, reportDoubt })
			: watchTransfers(
					{ tokens: wanted, accounts: parties, direction: side },
					{ blocks, reportDoubt, least },
				);
	},
});
