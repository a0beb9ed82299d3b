import {
	amountIn,
	decimalsIn,
	ERC20,
	inCoins,
	noToken,
	textIn,
	tokenCall,
} from '../../core/chain/tokens';
import { path } from '../../core/operation/path';
import { rpc } from '../../core/rpc/rpc';
import { rpcOptions } from '../../core/operation/transportOptions';
import { checksummed } from '../../core/values/hex';
import { token } from './fields';

export const get = rpc({
	name: 'Get',
	action: 'Get the details of a token',
	description: 'Get the name, symbol, decimals and supply of an ERC-20 token',
	fields: [token, path('/'), rpcOptions()],
	begin: (p) => ({
		requests: [ERC20.name, ERC20.symbol, ERC20.decimals, ERC20.totalSupply].map((called) =>
			tokenCall(p, called),
		),
		next: (outcomes) => {
			const name = textIn(outcomes[0], 'name');
			const symbol = textIn(outcomes[1], 'symbol');
			const decimals = decimalsIn(outcomes[2]);
			const total = amountIn(outcomes[3], ERC20.totalSupply);
			if ([name, symbol, decimals, total].every((one) => one === null)) return noToken(p.token);
			const totalSupply = total?.toString() ?? null;
			const supply = total === null ? null : inCoins(total, { symbol, decimals });
			const found = checksummed(p.token.slice(2));
			return { things: [{ token: found, name, symbol, decimals, totalSupply, supply }] };
		},
	}),
});
