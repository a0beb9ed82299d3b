import { wordsIn } from '../../answers/serviceMessage';
import { isRecord } from '../../values/parseJson';
import { chainName } from './chainNames';
import { post, type AskMore, type Probe } from './probe';

const ID = 1;

export function jsonRpc(path: string): Probe {
	const call = (method: string) => post(path, { jsonrpc: '2.0', method, params: [], id: ID });
	return {
		request: call('eth_chainId'),
		isAnswer: (answer) =>
			isRecord(answer) &&
			answer.jsonrpc === '2.0' &&
			answer.id === ID &&
			('result' in answer || 'error' in answer),
		isRefusal: (answer) => isRecord(answer) && isUnauthorized(answer.error),
		understood: async (answer, ask) => {
			const id = numberIn(answer);
			if (id === undefined) return 'a JSON-RPC node that did not name its chain';
			return chainName(id.toString()) + (await headOf(call('eth_blockNumber'), ask));
		},
	};
}

async function headOf(request: Parameters<AskMore>[0], ask: AskMore): Promise<string> {
	const head = numberIn(await ask(request));
	return head === undefined ? '' : `, block ${head.toLocaleString('en-US')}`;
}

/** The result of a call, if it is a number of a plausible size. */
function numberIn(answer: unknown): bigint | undefined {
	const result = isRecord(answer) ? answer.result : undefined;
	return typeof result === 'string' && /^0x[0-9a-f]{1,16}$/i.test(result)
		? BigInt(result)
		: undefined;
}

/** There is no code for it, so the words have to tell. An error about the method or its limits is another matter. */
function isUnauthorized(error: unknown): boolean {
	const words = wordsIn({ error }) ?? '';
	return /unauthori[sz]ed|unauthenticated|authenticat|forbidden|access denied|(invalid|unknown|wrong|missing|expired) .{0,20}(token|key|credential|secret)/i.test(
		words,
	);
}
