import { planCheck } from '../../../nodes/core/evm/simulate/check';
import type { AssetMove } from '../../../nodes/core/evm/simulate/assets';
import { askBalance, getQuestionKey } from '../../../nodes/core/evm/simulate/reads';
import { parseSimulatedTransaction } from '../../../nodes/core/evm/simulate/transaction';

const accountOf = (at: number) => `0x${(at + 1).toString(16).padStart(40, '5')}`;
const FROM = `0x${'1'.repeat(40)}`;
const TOKEN = `0x${'3'.repeat(40)}`;
const FLOOD = `0x${'4'.repeat(40)}`;

test('what the sender has is read, whatever a contract floods the transaction with', () => {
	const transaction = parseSimulatedTransaction({ from: FROM, to: FLOOD, data: '0x12345678' });
	const move = (token: string, from: string, to: string): AssetMove => ({
		...{ kind: 'erc20', token, id: null, from, to, value: 1n },
	});
	const flood = Array.from({ length: 600 }, (_, at) =>
		move(FLOOD, accountOf(at), accountOf(at + 1)),
	);
	const moves = [...flood, move(TOKEN, accountOf(0), FROM)];
	const effects = { moves, approvals: [], emitters: [FLOOD, TOKEN] };
	const plan = planCheck(transaction, effects, () => ({ symbol: null, decimals: null }));
	const asked = new Set(plan.questions.map(getQuestionKey));
	const isAsked = (token: string | null) => {
		const kind = token === null ? 'coin' : 'erc20';
		return asked.has(getQuestionKey(askBalance({ kind, token, id: null, account: FROM })));
	};
	expect(plan.questions).toHaveLength(500);
	expect([isAsked(TOKEN), isAsked(null)]).toEqual([true, true]);
});
