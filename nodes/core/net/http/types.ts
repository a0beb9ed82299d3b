export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface HttpRequest {
	readonly method: HttpMethod;
	/** A path below the credential's address, or a link of the service as a whole URL. */
	readonly path: string;
	readonly query?: Readonly<Record<string, string | number | undefined>>;
	/** The body is JSON as an object or as text, or a form. */
	readonly body?: object | string;
	/** Milliseconds for the whole answer; 0 for no limit. */
	readonly timeout: number;
	/** Aborts the request. */
	readonly signal?: AbortSignal;
}

export interface HttpResponse {
	readonly status: number;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly text: string;
}

/** The only way to the network, and the only holder of the secret. */
export interface HttpClient {
	send(request: HttpRequest): Promise<HttpResponse>;
	/** Masks secrets and removes the host, for errors. */
	redact(text: string): string;
}
