export interface HttpRequest {
	readonly method: 'GET' | 'POST';
	/** A path below the credential's address. A link that the service gave may be a whole URL. */
	readonly path: string;
	readonly query?: Readonly<Record<string, string | number | undefined>>;
	/** JSON, as an object or as text, or a form. */
	readonly body?: object | string;
	/** How many milliseconds the whole answer may take; 0 waits for ever. */
	readonly timeout: number;
	/** Ends the request, wherever it is, when it is aborted. */
	readonly until?: AbortSignal;
}

export interface HttpResponse {
	readonly status: number;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly text: string;
}

/** The one way to the network. It alone knows the secret. */
export interface HttpClient {
	send(request: HttpRequest): Promise<HttpResponse>;
	/** Redacts secrets in words that people will read. */
	redact(text: string): string;
}
