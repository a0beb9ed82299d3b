import { RequestFailure } from '../errors/requestFailure';
import type { PublicFile } from '../net/http/download';
import type { Chain } from '../protocols/rpc/operation';
import { formatExcerpt } from '../values/excerpt';
import { tryParseJson } from '../values/json';
import { isRecord, rethrow } from '../values/parse';
import { sharedKey } from '../net/pacing/shared';

/** Fetches files without the credential. */
export type FileReader = Pick<Chain, 'download' | 'shared'>;

/** The contract, or a server that it names, caused the failure. Anybody can write such a contract. */
export class OffchainFailure extends RequestFailure {}

/** A contract's question to the servers that it names (EIP-3668). */
export interface ServerQuestion {
	/** Addresses with placeholders for the sender and the data. */
	readonly urls: readonly string[];
	/** The contract, in lower case. */
	readonly sender: string;
	readonly callData: string;
}

/** How many servers may fail before the look-up fails, because a contract can name any number of slow servers. */
const MAX_FAILED_SERVERS = 4;
const MAX_URL_CHARS = 16_000;

type Responses = Map<string, Promise<string>>;
const LOOKUP_RESPONSES = sharedKey('evm.lookupResponses', (): Responses => new Map());

/** The servers which a contract names when it is called (EIP-3668). */
export class LookupServers {
	private readonly failures: string[] = [];

	constructor(private readonly files: FileReader) {}

	/** Asks one server after another until a server answers. */
	async ask(question: ServerQuestion): Promise<string> {
		const failedBefore = this.failures.length;
		for (const template of question.urls) {
			const request = buildRequest(template, question);
			const response = request && (await this.tryRequest(request));
			if (response !== undefined) return response;
			if (this.failures.length === MAX_FAILED_SERVERS) break;
		}
		throw new OffchainFailure(
			this.failures.length === failedBefore
				? `The contract ${question.sender} names no https address to ask`
				: `No server gave an answer: ${this.failures.join('; ')}`,
		);
	}

	private async tryRequest(file: PublicFile): Promise<string | undefined> {
		return await this.fetchOnce(file).catch((failure: unknown) => this.noteFailure(file, failure));
	}

	/** Throws if the server refuses to answer. After any other failure, the next server is asked. */
	private noteFailure({ url }: PublicFile, failure: unknown): undefined {
		if (!(failure instanceof RequestFailure)) return rethrow(failure);
		const { message, httpCode = 0 } = failure;
		const told = `${formatExcerpt(new URL(url).hostname)}: ${message}`;
		if (httpCode >= 400 && httpCode < 500)
			throw new OffchainFailure(
				`A server from which the contract takes data refuses to answer: ${told}`,
			);
		this.failures.push(told);
		return undefined;
	}

	/** Fetches a response. Items of a run that ask the same at the same time share the response. */
	private async fetchOnce(file: PublicFile): Promise<string> {
		const responses = this.files.shared(LOOKUP_RESPONSES);
		const key = JSON.stringify(file);
		const response = responses.get(key) ?? this.fetch(file).finally(() => responses.delete(key));
		responses.set(key, response);
		return await response;
	}

	private async fetch(file: PublicFile): Promise<string> {
		const answer = tryParseJson((await this.files.download(file)).toString());
		const data = isRecord(answer) ? answer.data : undefined;
		if (typeof data === 'string' && data.length % 2 === 0 && /^0x[0-9a-f]*$/i.test(data))
			return data;
		throw new RequestFailure("The server's answer has no field 'data' with 0x and hex digits");
	}
}

/** Builds the request to a server from the template of its address; undefined if the server must not be asked. */
function buildRequest(
	template: string,
	{ sender, callData }: ServerQuestion,
): PublicFile | undefined {
	const isPosted = !template.includes('{data}');
	// Templates with long data are left out, because filling in thousands of them would take seconds.
	if (template.length + (isPosted ? 0 : callData.length) > MAX_URL_CHARS) return undefined;
	const address = template.replace('{sender}', sender).replace('{data}', callData);
	if (!/^https:\/\//i.test(address) || !URL.canParse(address)) return undefined;
	const { href, username, password } = new URL(address);
	if (username !== '' || password !== '') return undefined;
	const request = { url: href, isForeign: true };
	return isPosted ? { ...request, body: JSON.stringify({ data: callData, sender }) } : request;
}
