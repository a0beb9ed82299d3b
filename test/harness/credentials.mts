import {
	ICredentialsHelper,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
	type INodeProperties,
} from 'n8n-workflow';

type CredentialData = Readonly<Record<string, ICredentialDataDecryptedObject>>;

/**
 * Stands in for n8n's credential helper. It has the credentials of one test in place of a database, and counts
 * decryptions.
 */
export class TestCredentials extends ICredentialsHelper {
	decryptions = 0;

	constructor(
		private readonly types: readonly ICredentialType[],
		private readonly data: CredentialData,
	) {
		super();
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.type(typeName);
		if (typeof authenticate !== 'function')
			throw new Error(`${typeName} has no authenticate function`);
		return await authenticate(credentials, requestOptions);
	}

	async preAuthentication(): Promise<undefined> {}

	async runPreAuthentication(): Promise<undefined> {}

	async getCredentials(): Promise<never> {
		throw new Error('Not needed by a node');
	}

	async getDecrypted(
		_additionalData: unknown,
		{ name }: INodeCredentialsDetails,
		type: string,
	): Promise<ICredentialDataDecryptedObject> {
		this.decryptions++;
		const data = this.data[name] ?? this.data[type];
		if (!data) throw new Error(`The test has no credential of type ${type}`);
		return { ...data };
	}

	async updateCredentials(): Promise<void> {}

	async updateCredentialsOauthTokenData(): Promise<void> {}

	getCredentialsProperties(type: string): INodeProperties[] {
		return this.type(type).properties;
	}

	private type(name: string): ICredentialType {
		const type = this.types.find((candidate) => candidate.name === name);
		if (!type) throw new Error(`Unknown credential type ${name}`);
		return type;
	}
}
