export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface HttpRequest {
	readonly method: HttpMethod;
	/** A path below the credential's address, or a complete URL that the service returned as a link. */
	readonly path: string;
	readonly query?: Readonly<Record<string, string | number | undefined>>;
	/** The body: JSON as an object or text, or a form. */
	readonly body?: object | string;
	/** The milliseconds until the whole answer must be there; 0 for no limit. */
	readonly timeout: number;
	/** Aborts the request. */
	readonly signal?: AbortSignal;
}

export interface HttpResponse {
	readonly status: number;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly text: string;
}

/** Sends all requests of a node to its service. No other code gets the secret. */
export interface HttpClient {
	send(request: HttpRequest): Promise<HttpResponse>;
	/** Masks secrets and removes the host of the service, for error messages. */
	redact(text: string): string;
}
