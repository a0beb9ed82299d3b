import { generate } from 'selfsigned';

const DAY_MS = 86_400_000;

/** Signed by itself and allowed to sign: the certificate is its own trust root. */
export async function createCertificate(): Promise<{ key: string; certificate: string }> {
	const made = await generate([{ name: 'commonName', value: 'localhost' }], {
		keyType: 'ec',
		algorithm: 'sha256',
		notAfterDate: new Date(Date.now() + DAY_MS),
		extensions: [
			{ name: 'basicConstraints', cA: true, critical: true },
			{ name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
			{ name: 'extKeyUsage', serverAuth: true },
			{
				name: 'subjectAltName',
				altNames: [
					{ type: 2, value: 'localhost' },
					{ type: 7, ip: '127.0.0.1' },
				],
			},
		],
	});
	return { key: made.private, certificate: made.cert };
}
