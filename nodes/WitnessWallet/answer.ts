import { recordWith } from '../core/answers/answer';
import { RequestFailure } from '../core/errors/requestFailure';
import { isRecord } from '../core/values/parseJson';
import { shortened, wordsIn } from '../core/answers/serviceMessage';

const transaction = recordWith('a transaction', 'txID', 'raw_data', 'raw_data_hex');

export function builtTransaction(body: unknown) {
	return transaction(withoutError(body));
}

/** An answer that is none of the errors that come with status 200: the chain's, and the service's. */
export function withoutError(body: unknown): unknown {
	if (isRecord(body) && typeof body.Error === 'string') throw requestRefused(body.Error);
	if (isRecord(body) && body.error) {
		throw new RequestFailure(wordsIn(body) ?? 'The service gave no reason');
	}
	return body;
}

/** For example `class org.tron.core.exception.ContractValidateException : Witness[…] not exists`. */
function requestRefused(error: string): RequestFailure {
	const short = shortened(error);
	const colon = short.indexOf(':');
	const name = colon > 0 && short.startsWith('class ') ? short.slice(6, colon).trim() : '';
	const words = name && short.slice(colon + 1).trim();
	const kind = name.slice(name.lastIndexOf('.') + 1);
	return new RequestFailure(words && words !== 'null' ? words : short, {
		description: `The node refused the request${kind ? ` (${kind})` : ''}.`,
	});
}
