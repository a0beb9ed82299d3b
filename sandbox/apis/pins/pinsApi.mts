import multipart from '@fastify/multipart';
import type { FastifyError, FastifyPluginCallback, FastifyRequest } from 'fastify';
import { noQuery } from '../../http/schemas.mts';
import { OWNER, PROJECTS } from '../projects.mts';
import { parseForm, PinRefusal, type Problem, pinRefusedError } from './form.mts';
import {
	findDuplicate,
	type PinState,
	storePin,
	findPlaceProblems,
	type StoredPin,
} from './store.mts';

export const pinsApi =
	(state: PinState): FastifyPluginCallback =>
	(app, _options, done) => {
		app.removeAllContentTypeParsers();
		app.addContentTypeParser('*', (_request, _body, done) => done(null));
		void app.register(multipart, { preservePath: true, throwFileSizeLimit: false });
		app.setErrorHandler<FastifyError>((error, _request, reply) =>
			reply.code(error.statusCode ?? 500).send({ errors: getProblems(error) }),
		);
		app.post('/v1/ipfs/pins/pinfile', { schema: { querystring: noQuery } }, async (request) => {
			checkHeaders(request);
			const form = await parseForm(request, state.pins.maxBytes).catch(throwMalformed);
			const { bucket_id, folder_id, file, problems } = form;
			const all = [...problems, ...findPlaceProblems({ bucket_id, folder_id })];
			if (all.length > 0 || !file || bucket_id === undefined) throw pinRefusedError(all);
			const twin = findDuplicate(state.pins, { bucket_id, folder_id, cid: file.cid });
			if (twin) throw pinRefusedError([twin]);
			return formatPin(storePin(state.pins, bucket_id, folder_id, file), request.host);
		});
		done();
	};

function checkHeaders(request: FastifyRequest): void {
	const { headers } = request;
	if (headers['content-length'] === undefined) {
		const message = 'A Content-Length header is required: chunked uploads are not accepted.';
		throw new PinRefusal(411, [{ code: 'length_required', message, field: null }]);
	}
	if (!request.isMultipart()) {
		const type = headers['content-type'] ?? 'none';
		const message = `The Content-Type must be multipart/form-data, got ${type}.`;
		throw new PinRefusal(415, [{ code: 'unsupported_media_type', message, field: null }]);
	}
}

function throwMalformed({ message }: Error): never {
	const words = `The form could not be read: ${message}`;
	throw new PinRefusal(400, [{ code: 'malformed', message: words, field: null }]);
}

function getProblems(error: FastifyError): Problem[] {
	if (error instanceof PinRefusal) return error.problems;
	return [{ code: error.code ?? 'error', message: error.message, field: null }];
}

const { creator } = PROJECTS[0]!;

/** Formats a pin with every field that the provider's document lists. */
const formatPin = (pin: StoredPin, host: string) => ({
	id: pin.id,
	cid: pin.cid,
	type: 'file',
	title: pin.file_name,
	status: 'pinned',
	size: pin.size,
	item_count: 1,
	created_at: pin.created_at,
	updated_at: pin.created_at,
	bucket_id: pin.bucket_id,
	folder_id: pin.folder_id,
	public_link: `http://${host}/ipfs/${pin.cid}`,
	owner: { id: OWNER.id, name: OWNER.name },
	creator: { id: creator.id, name: `${creator.first_name} ${creator.last_name}` },
});
