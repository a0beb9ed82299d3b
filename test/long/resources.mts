import { collectGarbage } from '../harness/garbage.mts';

const MB = 1024 * 1024;

/** Measures the memory in MB that this process needs. */
export function measureMemory(): number {
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	return (heapUsed + external) / MB;
}

/** Measures all the memory in MB that the system has given to this process. */
export const measureResidentMemory = () => process.memoryUsage.rss() / MB;

/** Observes the memory until it is stopped, and returns the peak in MB. */
export function watchMemory(): () => number {
	let peak = 0;
	const look = () => (peak = Math.max(peak, measureResidentMemory()));
	const watch = setInterval(look, 20);
	return () => {
		clearInterval(watch);
		look();
		return peak;
	};
}

/** Counts what this process waits for. */
export function countHandles() {
	const resources = process.getActiveResourcesInfo();
	const count = (kind: string) => resources.filter((one) => one === kind).length;
	return { sockets: count('TCPSocketWrap'), timers: count('Timeout') };
}

/** Measures the CPU milliseconds of some work, including garbage collection. */
export async function measureCpu(work: () => unknown): Promise<number> {
	const begun = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(begun);
	return (user + system) / 1000;
}
