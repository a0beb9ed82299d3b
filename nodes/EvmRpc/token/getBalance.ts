import {
	amountIn,
	ERC20,
	factsOf,
	inCoins,
	knownTokens,
	noToken,
	tokenCall,
} from '../../core/chain/tokens';
import type { Field } from '../../core/operation/field';
import { path } from '../../core/operation/path';
import { rpc } from '../../core/rpc/rpc';
import { rpcOptions } from '../../core/operation/transportOptions';
import { checksummed, evmAddress } from '../../core/values/hex';
import { stateBlock } from '../fields';
import { token } from './fields';

const owner = {
	displayName: 'Owner',
	name: 'owner',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
	description: 'The account whose balance is read',
	read: evmAddress,
} as const satisfies Field;

export const getBalance = rpc({
	name: 'Get Balance',
	action: 'Get the token balance of an account',
	description: 'Get how much of an ERC-20 token an account holds',
	fields: [token, owner, stateBlock, path('/'), rpcOptions()],
	begin: (p, run) => {
		const facts = factsOf(p.path, run.memory(knownTokens));
		// What the token tells of itself is asked in the same breath.
		const questions = facts.questions([p.token]);
		return {
			requests: [tokenCall(p, ERC20.balanceOf, p.owner), ...questions],
			next: ([found, ...answers]) => {
				facts.learn(questions, answers);
				const balance = amountIn(found, ERC20.balanceOf) ?? noToken(p.token);
				const tokenFacts = facts.of(p.token);
				return {
					things: [
						{
							token: checksummed(p.token.slice(2)),
							owner: checksummed(p.owner.slice(2)),
							...tokenFacts,
							balance: balance.toString(),
							amount: inCoins(balance, tokenFacts),
						},
					],
				};
			},
		};
	},
});
