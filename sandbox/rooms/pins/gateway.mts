import type { FastifyPluginCallback } from 'fastify';
import type { SandboxState } from '../../state.mts';

const schema = { querystring: { type: 'object', additionalProperties: false, properties: {} } };

/** Public, as `public_link` promises: no key is asked for. */
export const gatewayApi =
	(state: SandboxState): FastifyPluginCallback =>
	(app, _options, done) => {
		const config = { public: true };
		app.get<{ Params: { cid: string } }>(
			'/ipfs/:cid',
			{ schema, config },
			async ({ params }, reply) => {
				const cid = await toCanonicalCid(params.cid);
				if (!cid) return reply.code(400).send({ detail: `"${params.cid}" is no CID.` });
				const bytes = state.pins.contents.get(cid);
				if (bytes) return reply.type('application/octet-stream').send(bytes);
				const known = state.pins.stored.some((pin) => pin.cid === cid);
				const detail = known ? 'Pinned, but its bytes are no longer kept.' : 'Not found.';
				return reply.code(404).send({ detail });
			},
		);
		done();
	};

async function toCanonicalCid(text: string): Promise<string | undefined> {
	const { CID } = await import('multiformats/cid');
	try {
		return CID.parse(text).toV1().toString();
	} catch {
		return undefined;
	}
}
