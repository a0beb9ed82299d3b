import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { numberToHex } from '../../../harness/evmChain.mts';
import { waitUntil } from '../../../harness/until.mts';
import type { activateTrigger } from '../../../harness/trigger.mts';
import { createSandboxChain } from '../../../harness/sandboxChain.mts';
import { evmRpcTrigger, triggersOfATest, type Credentials } from './triggers.mts';

type Life = Parameters<typeof activateTrigger>[1];

interface Sockets {
	readonly open: number;
	readonly opened: number;
	readonly refused: number;
	readonly subscriptions: number;
}

export { waitUntil };

/** Creates a sandbox with a chain for a test file. Each trigger ends with its test. */
export function scene() {
	const { countRequests, height, mine, sandbox, setLag } = createSandboxChain();
	const active = triggersOfATest();

	afterEach(async () => await drop('reset'));

	const on = (parameters: INodeParameters = {}, credentials?: Credentials) =>
		evmRpcTrigger(parameters, credentials ?? sandbox.credentials.token);

	const drop = async (how: 'reset' | 'close') =>
		await sandbox.control('POST', '/sockets/drop', { how });
	const sockets = async () => (await sandbox.control('GET', '/sockets')) as Sockets;

	return {
		sandbox,
		on,
		active: async (tested = on(), life?: Life) => await active(tested, life),
		height,
		mine,
		countRequests,
		setLag,
		drop,
		sockets,
		set: async (settings: object) => await sandbox.control('PUT', '/sockets', settings),
		/** Waits until a trigger has read the latest block, so that later blocks are new to it. */
		listening: async () =>
			await waitUntil(async () => {
				const seen = (await sandbox.record()).map(({ body }) => JSON.stringify(body));
				return seen.filter((body) => body.includes('"latest"')).length > 1;
			}),
		/** Waits until the given number of sockets is open. */
		open: async (count: number) => await waitUntil(async () => (await sockets()).open === count),
	};
}

export { numberToHex };

/** Lists the given count of consecutive numbers up to the last one. */
export const upTo = (last: number, count: number) =>
	Array.from({ length: count }, (_, index) => last - count + 1 + index);

export const numbersOf = (items: readonly IDataObject[]) =>
	items.map(({ number }) => Number(number));

/** Waits at least the given time. Returns how many seconds it really took. */
export async function lasting(milliseconds: number): Promise<number> {
	const began = performance.now();
	await moment(milliseconds);
	return (performance.now() - began) / 1000;
}

export async function moment(milliseconds: number): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
