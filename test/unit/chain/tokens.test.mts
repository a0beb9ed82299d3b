import { readBalance, readFacts, readToken } from '../../../nodes/core/chain/tokens';
import { chainAnswering } from '../support/chains.mts';

const TOKEN = `0x${'1'.repeat(40)}`;
/** Of a transaction since Osaka (EIP-7825); some nodes apply it to calls. */
const MOST_GAS = 2n ** 24n;

test('no question to a token asks for more gas than a transaction may use', async () => {
	const gas: bigint[] = [];
	const chain = chainAnswering((_method, [call]) => {
		gas.push(BigInt((call as unknown as { gas: string }).gas));
		return `0x${'0'.repeat(63)}6`;
	});
	await readToken(chain, TOKEN);
	await readFacts(chain, [TOKEN]);
	await readBalance(chain, TOKEN, TOKEN, 'latest');
	expect(gas).toHaveLength(7);
	expect(gas.filter((one) => one > MOST_GAS)).toEqual([]);
});
