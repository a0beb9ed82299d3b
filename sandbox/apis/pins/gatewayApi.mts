import type { FastifyPluginCallback, FastifyReply } from 'fastify';
import { closedObject } from '../../http/schemas.mts';
import { cutIntoBlocks, encodeCar } from './blocks.mts';
import type { PinState } from './store.mts';

interface Query {
	format?: 'raw' | 'car';
	'dag-scope'?: string;
}

const query = closedObject({
	format: { enum: ['raw', 'car'] },
	'dag-scope': { enum: ['block', 'entity', 'all'] },
});

const TYPES = { raw: 'application/vnd.ipld.raw', car: 'application/vnd.ipld.car' };

/**
 * Serves the public gateway that `public_link` leads to. The gateway asks for no key, and refuses requests that carry a
 * key.
 */
export const gatewayApi =
	(state: PinState): FastifyPluginCallback =>
	(app, _options, done) => {
		app.get<{ Params: { cid: string }; Querystring: Query }>(
			'/ipfs/:cid',
			{ schema: { querystring: query }, config: { public: true } },
			async (request, reply) => {
				const { format, 'dag-scope': scope } = request.query;
				const refuse = (detail: string) => reply.code(400).send({ detail });
				const cid = await toCanonicalCid(request.params.cid);
				if (!cid) return refuse(`"${request.params.cid}" is no CID.`);
				if (request.headers.authorization !== undefined)
					return refuse('The gateway is public: nobody may send it a key.');
				if (format && !request.headers.accept?.includes(TYPES[format]))
					return refuse(`The format is ${format}, and the header Accept wants something else.`);
				if (scope !== undefined && format !== 'car') return refuse('Only a CAR has a dag-scope.');
				return format ? await sendBlocks(state, reply, cid, format) : sendFile(state, reply, cid);
			},
		);
		done();
	};

function sendFile({ pins }: PinState, reply: FastifyReply, cid: string) {
	const bytes = pins.contents.get(cid);
	if (bytes) return reply.type('application/octet-stream').send(bytes);
	const known = pins.stored.some((pin) => pin.cid === cid);
	const detail = known ? 'Pinned, but its bytes are no longer kept.' : 'Not found.';
	return reply.code(404).send({ detail });
}

async function sendBlocks(
	{ pins }: PinState,
	reply: FastifyReply,
	cid: string,
	format: 'raw' | 'car',
) {
	for (const content of pins.contents.values()) {
		const blocks = await cutIntoBlocks(content);
		const block = blocks.get(cid);
		if (!block) continue;
		return format === 'raw'
			? reply.type(TYPES.raw).send(Buffer.from(block.bytes))
			: reply
					.type(`${TYPES.car}; version=1; order=dfs; dups=y`)
					.send(await encodeCar(block, blocks));
	}
	return reply.code(404).send({ detail: 'Not found.' });
}

async function toCanonicalCid(text: string): Promise<string | undefined> {
	const { CID } = await import('multiformats/cid');
	try {
		return CID.parse(text).toV1().toString();
	} catch {
		return undefined;
	}
}
