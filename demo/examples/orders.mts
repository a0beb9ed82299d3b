import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_HEADER } from '../run/credentials.mts';
import type { Demo } from '../run/demo.mts';
import { fetchFromN8n } from '../run/session.mts';
import { check, collectResults } from './results.mts';

export interface Order {
	order: number;
	address: string;
	status: string;
}

const SHOP = 'an-address-for-each-order';
const SHOP_NAME = 'An Address for Each Order';
const WATCHER_NAME = 'Tell Which Order Was Paid';
const UNIT = 10n ** 18n;
const PRICE = 3n;
const TIMEOUT_MS = 180_000;

async function order({ url }: Demo, reference: string): Promise<Order> {
	const response = await fetchFromN8n(`${url}/webhook/${SHOP}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', [DEMO_HEADER.name]: DEMO_HEADER.value },
		body: JSON.stringify({ reference, amount: String(PRICE) }),
	});
	const text = await response.text();
	check(response.ok, `the answer is ${response.status}: ${text}`);
	return JSON.parse(text) as Order;
}

const createReference = () => randomBytes(8).toString('hex');

/** Lets two customers order at the same time. One of the customers then asks again for the same order. */
export async function orderAtOnce(demo: Demo): Promise<void> {
	const [one, other] = [createReference(), createReference()];
	const orders = await Promise.all([one, other, one].map(async (of) => await order(demo, of)));
	const addresses = new Set(orders.map(({ address }) => address));
	check(addresses.size === 2, `the addresses are ${[...addresses].join(', ')}`);
}

/** Lets ten customers order at the same time. Each customer gets an address of its own. */
export async function placeTenOrders(demo: Demo): Promise<readonly Order[]> {
	const shop = await findWorkflow(demo, SHOP_NAME);
	await demo.api.activate(shop);
	const references = Array.from({ length: 10 }, createReference);
	const orders = await Promise.all(references.map(async (one) => await order(demo, one))).finally(
		async () => await demo.api.deactivate(shop),
	);
	check(new Set(orders.map(({ address }) => address)).size === 10, 'an address was given twice');
	return orders;
}

/** Places ten orders and pays them: eight customers pay at once, the ninth pays in two parts, and the tenth pays too little. */
export async function sellTenOrders(demo: Demo): Promise<void> {
	const { api, chain } = demo;
	const watcher = await findWorkflow(demo, WATCHER_NAME);
	const before = new Set((await api.executions(watcher)).map(({ id }) => id));
	const orders = await placeTenOrders(demo);
	const [last, parted, ...others] = orders.toReversed();
	for (const { address } of others) await chain.transferTo(address, PRICE * UNIT);
	await chain.transferTo(parted?.address ?? '', UNIT);
	await chain.transferTo(parted?.address ?? '', (PRICE - 1n) * UNIT);
	await chain.transferTo(last?.address ?? '', PRICE * UNIT - 1n);
	const wanted = sortNumbers(orders.filter((one) => one !== last).map((one) => one.order));
	for (const deadline = Date.now() + TIMEOUT_MS; ; await sleep(500)) {
		const { delivered, looked } = await readVerdicts(demo, watcher, before);
		const isOver = delivered.length >= wanted.length && looked.includes(last?.order ?? 0);
		check(isOver || Date.now() < deadline, `delivered are ${delivered.join(', ')}`);
		if (!isOver) continue;
		const sorted = sortNumbers(delivered);
		check(String(sorted) === String(wanted), `delivered are ${sorted.join(', ')}`);
		return;
	}
}

const sortNumbers = (numbers: readonly number[]) => numbers.toSorted((one, two) => one - two);

/** Returns the orders that were delivered, and the orders that a person must check. */
async function readVerdicts({ api }: Demo, workflow: string, before: ReadonlySet<string>) {
	const fresh = (await api.executions(workflow)).filter(({ id }) => !before.has(id));
	const results = await Promise.all(
		fresh.map(async ({ id }) => collectResults(await api.execution(id))),
	);
	const list = (node: string) =>
		results.flatMap(({ all }) => all<{ order: number }>(node)).map((one) => one.order);
	return { delivered: list('Deliver'), looked: list('Look at It') };
}

async function findWorkflow({ api }: Demo, name: string): Promise<string> {
	const workflows = await api.ask<Array<{ id: string; name: string }>>('GET', '/workflows');
	return workflows.find((one) => one.name === name)?.id ?? '';
}
