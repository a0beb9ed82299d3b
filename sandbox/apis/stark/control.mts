import type { FastifyInstance, FastifyReply } from 'fastify';
import { addSetting, closedObject } from '../../http/schemas.mts';
import type { Room } from './room.mts';
import {
	getPrices,
	loadRoom,
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
	/** A contract of the start, whose class it shall have. */
	like: { type: 'string' },
	/** Or a class that nobody here can run, as `getClass` shall answer it. */
	class: { type: 'object' },
	storage: { type: 'object', additionalProperties: hex, default: {} },
});

interface ContractBody {
	address?: string;
	like?: string;
	class?: object;
	storage: Record<string, string>;
}

interface TransactionBody {
	account: number;
	calls: { to: string; function: string; calldata: string[] }[];
}

const refuse = (reply: FastifyReply, message: string) => reply.code(409).send({ message });

export function addStarkControl(app: FastifyInstance, state: StarkState): void {
	const getRoom = async () => ({
		room: await loadRoom(state),
		actions: await import('./actions.mts'),
		prices: getPrices(state.stark.settings),
	});

	addSetting<StarkSettings>(app, '/stark', settingsSchema, (settings) => {
		state.stark.settings = settings;
	});

	app.get('/stark', async () => {
		const { room, actions } = await getRoom();
		return actions.formatRoom(room);
	});

	app.post<{ Body: { count: number; seconds: number } }>(
		'/stark/blocks',
		{ schema: { body: blocksSchema } },
		async ({ body }) => {
			const { room, actions, prices } = await getRoom();
			return actions.addBlocks(room, body, prices);
		},
	);

	app.post<{ Body: { depth: number; keep: boolean } }>(
		'/stark/reorg',
		{ schema: { body: reorgSchema } },
		async ({ body: { depth, keep } }, reply) => {
			const { room, actions, prices } = await getRoom();
			if (depth > getUnsettled(room)) return refuse(reply, 'what is accepted on L1 stays');
			return actions.replaceBlocks(room, depth, keep, prices);
		},
	);

	app.post<{ Body: { block: number } }>(
		'/stark/l1',
		{ schema: { body: l1Schema } },
		async ({ body: { block } }, reply) => {
			const { room } = await getRoom();
			if (block >= room.blocks.length || block < room.l1Head) {
				return refuse(reply, `from ${room.l1Head} to ${room.blocks.length - 1}`);
			}
			room.l1Head = block;
			return { l1Head: block };
		},
	);

	app.post<{ Body: TransactionBody }>(
		'/stark/transactions',
		{ schema: { body: transactionSchema } },
		async ({ body: { account, calls } }, reply) => {
			const { room, actions } = await getRoom();
			const sender = room.accounts[account];
			if (!sender) return refuse(reply, 'no such account');
			return actions.sendCalls(sender, calls, { room, settings: state.stark.settings });
		},
	);

	app.post<{ Body: ContractBody }>(
		'/stark/contracts',
		{ schema: { body: contractSchema } },
		async ({ body }, reply) => {
			const { room, actions, prices } = await getRoom();
			const made = actions.addContract(room, body, prices);
			return made ?? refuse(reply, 'name a contract of the start, or give a class');
		},
	);
}

const getUnsettled = ({ blocks, l1Head }: Room) => blocks.length - 1 - l1Head;
