import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const MB = 1024 * 1024;

/** The memory and other resources of this process. */
export function held() {
	collectGarbage();
	const resources = process.getActiveResourcesInfo();
	const count = (kind: string) => resources.filter((one) => one === kind).length;
	return {
		heap: process.memoryUsage().heapUsed / MB,
		sockets: count('TCPSocketWrap'),
		timers: count('Timeout'),
	};
}

/** Observes the memory until it is stopped, and returns the peak in MB. */
export function watchMemory(): () => number {
	let peak = 0;
	const look = () => (peak = Math.max(peak, process.memoryUsage.rss()));
	const watch = setInterval(look, 20);
	return () => {
		clearInterval(watch);
		look();
		return peak / MB;
	};
}

/** Wraps a node to count the listeners for the end of its execution. */
export function watched(node: INodeType): { node: INodeType; listeners: () => number } {
	let signal: AbortSignal | undefined;
	const tested = Object.create(node) as INodeType;
	tested.execute = async function (this: IExecuteFunctions) {
		signal = this.getExecutionCancelSignal();
		return (await node.execute?.call(this)) ?? null;
	};
	return {
		node: tested,
		listeners: () => (signal ? getEventListeners(signal, 'abort').length : NaN),
	};
}
