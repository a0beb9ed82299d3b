import { oddCall, createOddServer } from '../support/oddService.mts';

const TOKEN = 'Tok/en+with"quote&x=<0123456789';

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const hex = Buffer.from(TOKEN).toString('hex');

const SPELLINGS: Readonly<Record<string, string>> = {
	plain: TOKEN,
	base64: base64(TOKEN),
	'base64 of a header': base64(`x-token: ${TOKEN}`),
	'URL-encoded': encodeURIComponent(TOKEN),
	'percent-encoded throughout': hex.replace(/../g, '%$&'),
	'in JSON': inJson(TOKEN),
	'in JSON in JSON': inJson(inJson(TOKEN)),
	'in JSON that is safe in HTML': inJson(TOKEN).replace('&', '\\u0026').replace('<', '\\u003c'),
	'in HTML': TOKEN.replace('"', '&#34;').replace('&x', '&amp;x').replace('<', '&lt;'),
};

let answer: () => Uint8Array;

const server = createOddServer({ Echo: () => answer() });

const echoed = async () => await server.run(oddCall('Echo', {}), { credential: { xToken: TOKEN } });

describe.each(Object.entries(SPELLINGS))('the token %s', (_, spelling) => {
	test('is struck from an error', async () => {
		answer = () => {
			throw { code: 3, details: `not with ${spelling}, please` };
		};
		const { error } = await echoed();
		expect(error?.message).toMatch(/^not with \S*\*\*\*\S*, please$/);
		expect(JSON.stringify([error?.message, error?.description, error])).not.toContain(
			inJson(spelling),
		);
		expect(error?.message).not.toContain(spelling);
	});

	test('is struck from an answer', async () => {
		const text = Buffer.from(spelling);
		answer = () => Buffer.concat([Buffer.from([0x0a, text.length]), text]);
		const { json } = await echoed();
		expect(json[0]?.snakeCaseName).toMatch(/^\S{0,30}\*\*\*\S{0,8}$/);
	});
});

test('what is no token stays', async () => {
	const text = 'Tok/en without its quote, 546f6b2f656e, %54%6f%6b';
	answer = () => Buffer.concat([Buffer.from([0x0a, text.length]), Buffer.from(text)]);
	expect((await echoed()).json[0]?.snakeCaseName).toBe(text);
});
