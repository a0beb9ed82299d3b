import {
	base58,
	CUSTOMER,
	deployWitnessToken,
	openWitness,
	PAYER,
	sweptBy,
	type WitnessScene,
} from '../../../signer/test/sweep/witnessNode.mts';
import { DESTINATION } from '../../../signer/test/sweep/sweepNode.mts';
import { figure } from '../../harness/figure.mts';
import { createSandbox } from '../../harness/sandbox.mts';

const sandbox = createSandbox({ chain: true });
const SUN = 1_000_000;

interface Receipt {
	readonly net_usage?: number;
	readonly net_fee?: number;
	readonly energy_usage_total?: number;
	readonly energy_fee?: number;
}

const formatSun = (sun: number) => `${sun / SUN} TRX`;

async function readReceipt({ info }: WitnessScene, id: unknown) {
	const { receipt, fee = 0 } = (await info(id)) as { receipt: Receipt; fee?: number };
	const { net_usage = 0, net_fee = 0, energy_usage_total: energy = 0 } = receipt;
	const bytes = net_usage > 0 ? `${net_usage} of its bandwidth` : `${formatSun(net_fee)} for bytes`;
	return `${energy} energy, ${bytes}, ${formatSun(fee)} burnt`;
}

test('coins', async () => {
	const scene = await openWitness(sandbox);
	for (let time = 0; time < 3; time++) {
		await scene.giveCoins(0, 5 * SUN);
		const [item] = await sweptBy(scene, { indexes: 0 });
		figure(`Coins, sweep ${time + 1} of a day: ${await readReceipt(scene, item?.transactionHash)}`);
	}
});

test.each([
	['topped up, an account that is new to the chain', async () => await Promise.resolve()],
	['topped up', async (scene: WitnessScene) => await scene.giveCoins(0, 1)],
	[
		'by delegated energy',
		async (scene: WitnessScene) => {
			await scene.giveCoins(0, 1);
			await scene.lendEnergy(0, 2000 * SUN);
		},
	],
])('tokens, %s', async (name, prepare) => {
	const scene = await openWitness(sandbox);
	const token = await deployWitnessToken(sandbox);
	await token.give(DESTINATION, 1n);
	await token.give(0, 5n);
	await prepare(scene);
	const before = await scene.coins(PAYER);
	const [item] = await sweptBy(
		scene,
		{ indexes: 0, token: token.address },
		{ deposits: { tokens: token.address } },
	);
	const paid = Number(before - (await scene.coins(PAYER)));
	figure(`Tokens, ${name}: ${await readReceipt(scene, item?.transactionHash)}`);
	figure(
		`  the key's account pays ${formatSun(paid)}, ${formatSun(Number(await scene.coins(base58(0))))} are left on the address`,
	);
});

/** The energy for a transfer of USDT: to an account that already holds some, and to an account that holds none. */
const STABLECOIN_ENERGY = [64_285, 130_285];
/** The energy of a frozen coin per day at the end of 2026, and the price of a unit of energy in sun. */
const [ENERGY_PER_COIN, SUN_PER_ENERGY] = [9.47, 100];

test('to delegate energy', async () => {
	const { client, configure, lendEnergy, giveCoins } = await openWitness(sandbox);
	await configure();
	await giveCoins(0, 1);
	await lendEnergy(0, 10 * SUN, SUN);
	const { transactionBuilder: builder } = client;
	for (const [name, built] of [
		['Delegate', await builder.delegateResource(SUN, base58(0), 'ENERGY', CUSTOMER)],
		['Undelegate', await builder.undelegateResource(SUN, base58(0), 'ENERGY', CUSTOMER)],
	] as const) {
		const bytes = built.raw_data_hex.length / 2 + 134;
		figure(`${name}: ${bytes} bytes, ${formatSun(bytes * 1000)} without bandwidth`);
	}
	for (const energy of STABLECOIN_ENERGY) {
		const burnt = formatSun(energy * SUN_PER_ENERGY);
		const frozen = Math.ceil(energy / ENERGY_PER_COIN).toLocaleString('en');
		figure(`${energy} energy: ${burnt} burnt, or ${frozen} TRX frozen for each address and day`);
	}
});
