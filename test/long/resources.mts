import { collectGarbage } from '../harness/garbage.mts';

const MB = 1024 * 1024;

/** Measures the memory in MB that the objects of this process need. */
export function measureMemory(): number {
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	return (heapUsed + external) / MB;
}

/** Measures the whole memory in MB that the system has given to this process. */
export const measureResidentMemory = () => process.memoryUsage.rss() / MB;

/** Starts to observe the memory. The returned function ends this, and returns the peak in MB. */
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

/** Counts the open sockets and timers of this process. */
export function countHandles() {
	const resources = process.getActiveResourcesInfo();
	const count = (kind: string) => resources.filter((one) => one === kind).length;
	return { sockets: count('TCPSocketWrap'), timers: count('Timeout') };
}

/** Measures the processor time of some work in milliseconds, including garbage collection. */
export async function measureCpu(work: () => unknown): Promise<number> {
	const begun = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(begun);
	return (user + system) / 1000;
}
