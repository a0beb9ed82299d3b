import { FAMILY_NAMES } from '../../../nodes/core';
import { createSandbox } from '../../../test/harness/sandbox.mts';
import { Pay } from '../../nodes/Pay/Pay.node';
import { paid, runPay } from './payNode.mts';
import { ADDRESSES, buildScene, type PayScene } from './scenes.mts';

const sandbox = createSandbox({ chain: true });

const NAMES = { evm: 'EVM', witness: 'Witness', ton: 'TON', stark: 'STARK' } as const;

const AMOUNTS: ReadonlyArray<[given: unknown, refusal: RegExp]> = [
	['0', /^'Amount' must be an amount above 0/],
	['0.000', /^'Amount' must be an amount above 0/],
	['-1', /^'Amount' must be an amount above 0, such as 1.5/],
	['1,5', /^'Amount' must be .*point/],
	[' ', /^'Amount' is required/],
	['1e400', /^'Amount' must be/],
	['0x10', /^'Amount' must be/],
	['1.0000000000000000000001', /^'Amount' must be an amount with at most \d+ decimals/],
	[['1', '2'], /^'Amount' must be/],
	['9'.repeat(90), /^'Amount' must be an amount below 2\^\d+ in the smallest unit/],
];

const SEND_PATTERN = /sendRawTransaction|broadcasttransaction|addInvoke|api\/v3\/message/;

/** Lists the recorded requests that have sent a transaction, in any family. */
async function listSends() {
	const record = await sandbox.record();
	return record.filter(({ path, body }) => SEND_PATTERN.test(path + JSON.stringify(body)));
}

describe.each(FAMILY_NAMES)('on %s', (chain) => {
	let scene: PayScene;
	beforeAll(async () => (scene = await buildScene(sandbox, chain)));

	const refused = async (more: object, rules = scene.rules) => {
		const parameters = { operation: 'pay', chain, to: scene.to, amount: '0.5', ...more };
		const { error, items } = await runPay(sandbox, parameters, { rules });
		expect(items).toHaveLength(0);
		expect(await listSends()).toEqual([]);
		return `${error?.message} ${error?.description}`;
	};

	test.each(AMOUNTS)('the amount %j is refused by its name', async (amount, refusal) => {
		const given = Array.isArray(amount) ? `={{ ${JSON.stringify(amount)} }}` : amount;
		expect(await refused({ amount: given })).toMatch(refusal);
	});

	test.each(FAMILY_NAMES.filter((other) => other !== chain))(
		'an address of %s is refused, with the chain that it is for',
		async (other) => {
			const message = await refused({ to: ADDRESSES[other] });
			expect(message).toContain(`'To' is an address for the chain ${NAMES[other]}`);
			expect(message).toContain(NAMES[chain]);
		},
	);

	/** The scene's rules, with the given decimals in the limit of its token. */
	const limitWith = (decimals: number) => {
		const { jettonLimits, ...rules } = scene.rules;
		return typeof jettonLimits === 'string'
			? { ...rules, jettonLimits: jettonLimits.replace(/ 6$/, ` ${decimals}`) }
			: { ...rules, tokenLimits: `${scene.token?.address} 1000 ${decimals}` };
	};
	const previewed = async (more: object, rules = scene.rules) => {
		const parameters = { operation: 'preview', chain, to: scene.to, amount: '0.5', ...more };
		const { error, items } = await runPay(sandbox, parameters, { rules });
		return error ? { error: error.message } : items[0]?.json;
	};

	test("a token with other decimals than its limit's is refused, naming both", async () => {
		const token = scene.token?.address;
		const words = /gives 6 decimals, by which the amount was counted. Allowed: 8 decimals/;
		expect(await refused({ token }, limitWith(8))).toMatch(words);
		expect(await previewed({ token }, limitWith(8))).toMatchObject({
			allowed: false,
			rule: chain === 'ton' ? 'jettonLimits' : 'tokenLimits',
			reason: expect.stringMatching(words) as unknown,
		});
		expect(await previewed({ token }, limitWith(6))).toMatchObject({ allowed: true });
	});

	test('a token with other decimals than expected is refused, naming both', async () => {
		const token = scene.token?.address;
		const options = { expectDecimals: '8' };
		const words = /has 6 decimals, but the option Expect Decimals is 8/;
		expect(await refused({ token, options }, limitWith(6))).toMatch(words);
		expect(await previewed({ token, options }, limitWith(6))).toMatchObject({
			error: expect.stringMatching(words) as unknown,
		});
		const right = { token, options: { expectDecimals: '6' } };
		expect(await previewed(right, limitWith(6))).toMatchObject({ allowed: true });
		expect(await refused({ options: { expectDecimals: '7' } })).toMatch(
			/the option Expect Decimals is 7/,
		);
		expect(await refused({ options: { expectDecimals: '' } })).toMatch(/Expect Decimals' must be/);
	});

	test('an address of nobody is refused', async () => {
		expect(await refused({ to: 'somebody' })).toMatch(/^'To' must be an address/);
	});

	test('more than there is is refused with what is there', async () => {
		const message = await refused(
			{ amount: '900000000000' },
			{
				...scene.rules,
				maxAmount: '1000000000000',
				witnessMaxAmount: '1000000000000',
			},
		);
		expect(message).toMatch(/(?:are|is) needed, .* (?:are|is) there/);
	});

	test('what is no token is refused', async () => {
		expect(await refused({ token: scene.to, amount: '1' })).toMatch(/token|jetton|contract/i);
	});

	test('a rule that forbids it is named, in the preview too', async () => {
		const rules = { ...scene.rules, recipients: ADDRESSES[chain] };
		expect(await refused({ amount: '0.3' }, rules)).toContain('Recipients');
		const parameters = { operation: 'preview', chain, to: scene.to, amount: '0.3' };
		const [preview] = await paid(sandbox, parameters, { rules });
		expect(preview).toMatchObject({ allowed: false, rule: 'recipients' });
	});

	test('one item that is forbidden keeps all others from being paid', async () => {
		const items = [{ to: scene.to }, { to: ADDRESSES[chain] }];
		const rules = { ...scene.rules, recipients: scene.to };
		const parameters = { operation: 'pay', chain, to: '={{ $json.to }}', amount: '0.07' };
		const { error } = await runPay(sandbox, parameters, { rules, items });
		expect(error?.message).toContain('Recipients');
		expect(await listSends()).toEqual([]);
	});
});

test('the form has no comment where the chain has no place for one', () => {
	const comment = new Pay().description.properties.find(({ name }) => name === 'comment');
	expect(comment?.displayOptions?.show?.chain).toEqual(['ton', 'witness']);
});

test.each(FAMILY_NAMES)('the form has %s to choose, and its own To and Token', (chain) => {
	const { properties } = new Pay().description;
	const choices = properties.find(({ name }) => name === 'chain')?.options ?? [];
	expect(choices).toContainEqual(expect.objectContaining({ value: chain }));
	for (const name of ['to', 'token']) {
		const own = properties.filter(
			(field) => field.name === name && field.displayOptions?.show?.chain?.includes(chain),
		);
		expect(own).toHaveLength(1);
	}
});
