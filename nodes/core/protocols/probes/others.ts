import { shortened } from '../../answers/serviceMessage';
import { isRecord } from '../../values/parseJson';
import { get, post, type Probe } from './probe';

export const PLATFORM: Probe = {
	request: get('/v1/organization/'),
	isAnswer: (body, status) => status === 200 && isRecord(body) && 'id' in body,
	understood: (body) => {
		const { name, id } = isRecord(body) ? body : {};
		return `organization ${shortened(String(name ?? id))}`;
	},
};

export const WALLET: Probe = {
	request: post('/wallet/listwitnesses?visible=true', { visible: true }),
	isAnswer: (body) => isRecord(body) && Array.isArray(body.witnesses),
	understood: () => 'a witness chain',
};

/** An account that exists nowhere: a fee, or a complaint about it, is an answer alike. */
export const TON: Probe = {
	request: post('/api/v3/estimateFee', {
		address: `0:${'0'.repeat(64)}`,
		body: 'te6cckEBAQEAAgAAAEysuc0=',
	}),
	isAnswer: (body, status) =>
		isRecord(body) && ('source_fees' in body || (status === 422 && 'error' in body)),
	understood: () => 'a TON chain',
};
