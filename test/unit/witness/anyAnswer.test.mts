import { createKeyMaker } from '../../../nodes/core/chain/payment';
import { ANY_AMOUNT } from '../support/anyAmount.mts';
import fc from 'fast-check';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { readFirstHash, readHeadNumber, readHeads } from '../../../nodes/core/witness/blocks';
import { readBlocks } from '../../../nodes/core/witness/readBlocks';
import { readToken, readTokenBalance, readTokenFacts } from '../../../nodes/core/witness/tokens';
import {
	createTransferSearch,
	formatTokenTransfers,
} from '../../../nodes/core/witness/tokenTransfers';
import { readAccount } from '../../../nodes/core/witness/accounts';
import { readEnergyOfCall, readOwnEnergy } from '../../../nodes/core/witness/energy';
import { readPricesOnce } from '../../../nodes/core/witness/prices';
import { readCallerEnergy } from '../../../nodes/core/witness/sharedEnergy';
import { TRANSFER_FUNCTION } from '../../../nodes/core/witness/prepare/tokenCalls';
import {
	account,
	call,
	internalTransfer,
	transfer,
	transferLog,
	WitnessChain,
} from '../../harness/witnessChain.mts';
import { getCaseCount } from '../../harness/caseCount.mts';
import { createWitnessReader } from '../support/witnessReader.mts';

type Json = Record<string, unknown>;

/** Values that replace a part of an answer. The value undefined removes the part. */
const anything = fc.constantFrom<unknown>(
	undefined,
	null,
	true,
	false,
	0,
	-0,
	1,
	-1,
	1.5,
	1e21,
	Number.MAX_SAFE_INTEGER,
	'',
	'x',
	'0x',
	'41',
	'00'.repeat(32),
	'9'.repeat(30),
	'T'.repeat(34),
	'ff'.repeat(5000),
	{},
	[],
	[null],
	[[]],
	['a', 'b'],
	{ length: 5 },
	{ toString: null },
	{ constructor: 5 },
	'__proto__',
	'\ud800',
	`41${'g'.repeat(40)}`,
);

const changes = fc.array(
	fc.record({
		/** The number of the request whose answer is changed. */
		request: fc.nat(40),
		/** The path to the changed part of the answer. Each number is the position of a key. */
		way: fc.array(fc.nat(30), { maxLength: 9 }),
		part: anything,
	}),
	{ minLength: 1, maxLength: 4 },
);

function replacePart(value: unknown, [at, ...way]: readonly number[], part: unknown): unknown {
	if (at === undefined || typeof value !== 'object' || value === null) return part;
	const keys = Object.keys(value);
	const key = keys[at % keys.length];
	if (key === undefined) return part;
	const copy = structuredClone(value) as Json;
	copy[key] = replacePart(copy[key], way, part);
	if (copy[key] === undefined && !Array.isArray(copy)) delete copy[key];
	return copy;
}

const FACTS: Readonly<Record<string, unknown>> = {
	estimateenergy: { result: { result: true }, energy_required: 5 },
	getchainparameters: { chainParameter: [{ key: 'getEnergyFee', value: 5 }] },
	getaccountresource: { EnergyLimit: 5, EnergyUsed: 2 },
	getaccount: { address: `41${account('a')}`, balance: 5, frozenV2: [{ amount: 5 }] },
	getcontract: { origin_address: `41${account('a')}`, origin_energy_limit: 5 },
};

const RANGE = { from: 4, to: 10 };

function mineChain(listsBlocks: boolean): WitnessChain {
	const chain = new WitnessChain();
	chain.mineEmpty(RANGE.from);
	chain.mine(transfer('buyer', 'shop', 3), {
		...call('a', 'token', 4),
		logs: [transferLog('token', 'a', 'b', 5)],
		internal: [internalTransfer('router', 'shop', 6)],
	});
	chain.mine({ ...call('a', 'token', 4), hasFailed: true });
	const value = { owner_address: `41${account('shop')}`, new_contract: { call_value: 3 } };
	const contract_address = `41${account('made')}`;
	chain.mine({ contract: { type: 'CreateSmartContract', value }, contract_address });
	chain.mineEmpty(chain.lag + 3);
	if (!listsBlocks) chain.unserved.add('walletsolidity/getblockbylimitnext');
	return chain;
}

test('whatever a node answers is read, or refused in words', async () => {
	const property = fc.asyncProperty(changes, fc.boolean(), async (changed, listsBlocks) => {
		const chain = mineChain(listsBlocks);
		let count = 0;
		chain.change = (answer, method) => {
			const own = changed.filter(({ request }) => request === count);
			count++;
			return own.reduce<unknown>(
				(honest, { way, part }) => replacePart(honest, way, part),
				FACTS[method] ?? answer,
			);
		};
		const reader = createWitnessReader(chain);
		const owner = `41${account('a')}`;
		const given = {
			owner,
			contract: `41${account('token')}`,
			called: TRANSFER_FUNCTION,
			data: '0x',
			errors: [],
		};
		const search = createTransferSearch({ tokens: [], accounts: [], direction: 'any' });
		const reads: Array<() => Promise<unknown>> = [
			async () => await readHeads(reader),
			async () => await readFirstHash(reader),
			async () => await readHeadNumber(reader),
			async () => {
				for await (const blocks of readBlocks(reader, RANGE))
					for (const block of blocks) {
						expect(new Date(block.timestamp).toISOString()).toBeDefined();
						await formatTokenTransfers(await search(block), {
							factsOf: () => ({ symbol: null, decimals: 6 }),
							makeKey: createKeyMaker(),
							least: ANY_AMOUNT,
						});
					}
			},
			async () => await readTokenFacts(reader, [account('token')]),
			async () => await readToken(reader, account('token')),
			async () => await readTokenBalance(reader, account('token'), account('b')),
			async () => await readEnergyOfCall(reader, given),
			async () => await readPricesOnce(reader),
			async () => await readOwnEnergy(reader, owner),
			async () => await readAccount(reader, { address: owner, visible: false }),
			async () => await readCallerEnergy(reader, `41${account('token')}`, 5n),
		];
		for (const read of reads) {
			const failure: unknown = await read().then(
				() => undefined,
				(failed: unknown) => failed,
			);
			if (failure === undefined) continue;
			expect(failure).toBeInstanceOf(RequestFailure);
			expect((failure as RequestFailure).message.length).toBeLessThan(600);
		}
	});
	await fc.assert(property, { numRuns: getCaseCount(1000) });
});
