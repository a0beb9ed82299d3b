import type { FastifyInstance, FastifyReply } from 'fastify';
import { addSetting, closedObject } from '../../http/schemas.mts';
import type { CallBody, ContractBody } from './actions.mts';
import type { Rollup } from './rollup.mts';
import {
	getPrices,
	loadRollup,
	settingsSchema,
	type StarkSettings,
	type StarkState,
} from './settings.mts';

const wholeNumber = { type: 'integer', minimum: 0 };
const count = { type: 'integer', minimum: 1, maximum: 100_000, default: 1 };
const hex = { type: 'string', pattern: '^0x[0-9a-fA-F]{1,64}$' };

const blocksSchema = closedObject({ count, seconds: { ...wholeNumber, default: 4 } });
const reorgSchema = closedObject({ depth: count, keep: { type: 'boolean', default: false } });
const l1Schema = closedObject({ block: wholeNumber }, ['block']);
const callSchema = closedObject(
	{ to: hex, function: { type: 'string' }, calldata: { type: 'array', items: hex, default: [] } },
	['to', 'function'],
);
const transactionSchema = closedObject(
	{ account: { ...wholeNumber, default: 0 }, calls: { type: 'array', items: callSchema } },
	['calls'],
);
const contractSchema = closedObject({
	address: hex,
	/** The address of a contract that exists from the start. The new contract gets its class. */
	like: { type: 'string' },
	/** A class in the form of an answer to `getClass`. It replaces `like`, and cannot run here. */
	class: { type: 'object' },
	storage: { type: 'object', additionalProperties: hex, default: {} },
});

interface TransactionBody {
	account: number;
	calls: CallBody[];
}

const refuse = (reply: FastifyReply, message: string) => reply.code(409).send({ message });

export function addStarkControl(app: FastifyInstance, state: StarkState): void {
	const getRollup = async () => ({
		rollup: await loadRollup(state),
		actions: await import('./actions.mts'),
		prices: getPrices(state.stark.settings),
	});

	addSetting<StarkSettings>(app, '/stark', settingsSchema, (settings) => {
		state.stark.settings = settings;
	});

	/** Gives the accounts, the contracts, the latest block, and the transactions that are in no block yet. */
	app.get('/stark', async () => {
		const { rollup, actions } = await getRollup();
		return actions.formatRollup(rollup);
	});

	/** Makes blocks whose times are `seconds` apart. The first block contains the received transactions. */
	app.post<{ Body: { count: number; seconds: number } }>(
		'/stark/blocks',
		{ schema: { body: blocksSchema } },
		async ({ body }) => {
			const { rollup, actions, prices } = await getRollup();
			return actions.addBlocks(rollup, body, prices);
		},
	);

	/** Replaces the latest `depth` blocks by as many new blocks, which have the same transactions if `keep` is true. */
	app.post<{ Body: { depth: number; keep: boolean } }>(
		'/stark/reorg',
		{ schema: { body: reorgSchema } },
		async ({ body: { depth, keep } }, reply) => {
			const { rollup, actions, prices } = await getRollup();
			if (depth > getUnsettled(rollup)) return refuse(reply, 'what is accepted on L1 stays');
			return actions.replaceBlocks(rollup, depth, keep, prices);
		},
	);

	/** Accepts all blocks up to the given block on L1, so that they are never replaced. */
	app.post<{ Body: { block: number } }>(
		'/stark/l1',
		{ schema: { body: l1Schema } },
		async ({ body: { block } }, reply) => {
			const { rollup } = await getRollup();
			if (block >= rollup.blocks.length || block < rollup.l1Head) {
				return refuse(reply, `from ${rollup.l1Head} to ${rollup.blocks.length - 1}`);
			}
			rollup.l1Head = block;
			return { l1Head: block };
		},
	);

	/** Sends calls in a transaction. The body names the index of the account that signs it. */
	app.post<{ Body: TransactionBody }>(
		'/stark/transactions',
		{ schema: { body: transactionSchema } },
		async ({ body: { account, calls } }, reply) => {
			const { rollup, actions } = await getRollup();
			const sender = rollup.accounts[account];
			if (!sender) return refuse(reply, 'no such account');
			return actions.sendCalls(sender, calls, { rollup, settings: state.stark.settings });
		},
	);

	/** Opens an account of Cairo 1 with 1000 of each token. The answer has its keys. */
	app.post('/stark/accounts', async () => {
		const { rollup, actions, prices } = await getRollup();
		return actions.openAccount(rollup, prices);
	});

	/** Adds a contract with the class of the contract `like`, or with a given class. */
	app.post<{ Body: ContractBody }>(
		'/stark/contracts',
		{ schema: { body: contractSchema } },
		async ({ body }, reply) => {
			const { rollup, actions, prices } = await getRollup();
			const made = actions.addContract(rollup, body, prices);
			return made ?? refuse(reply, 'name a contract of the start, or give a class');
		},
	);
}

const getUnsettled = ({ blocks, l1Head }: Rollup) => blocks.length - 1 - l1Head;
