import type { ICredentialType, IHttpRequestOptions } from 'n8n-workflow';

/** The HTTP Request node passes the key `uri`, and all other nodes pass `url`. */
type Request = Partial<IHttpRequestOptions> & { readonly uri?: string };

/** Returns a request as a credential sends it. */
export async function authenticateRequest(
	type: ICredentialType,
	credential: Record<string, string>,
	request: Request,
): Promise<Request> {
	const { authenticate } = type;
	if (typeof authenticate !== 'function') throw new Error('It has no function to authenticate');
	return await authenticate(credential, request as IHttpRequestOptions);
}
