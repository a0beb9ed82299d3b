import { encodeFunctionData, parseFunction } from '../../../nodes/core/evm/abi/call';
import { collectResults } from '../../../nodes/core/run';
import { signature } from '../../../nodes/EvmRpc/signature';
import { hash } from '../../../nodes/Utilities/hash';
import { largeTypedData, orderOf } from '../../harness/largeTypedData.mts';
import { createContext } from '../../unit/support/chains.mts';
import { signWith } from '../../../signer/test/support/signerNode.mts';
import { figure } from '../../harness/figure.mts';
import { measureCpu } from '../resources.mts';

const MEGABYTE = 1_000_000;
const ACCOUNT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

const silent = createContext(async () => await Promise.resolve('0x'));
const nodes: Readonly<Record<string, (typedData: string) => Promise<unknown>>> = {
	'Signature: Verify': async (typedData) =>
		await collectResults(
			signature.operations.verify,
			{ address: ACCOUNT, signature: '0x', typedData, path: '/', options: {} },
			silent,
		),
	'Hash: Compute': async (input) =>
		await collectResults(hash.operations.compute, { algorithm: 'typedData', input }, silent),
	'Typed Data: Sign': async (typedData) =>
		await signWith({ resource: 'typedData', operation: 'sign', typedData }),
};

test.each(Object.entries(nodes))('typed data in %s', async (name, run) => {
	const texts = Object.entries(largeTypedData).map(
		([what, make]) => [what, JSON.stringify(make(MEGABYTE))] as const,
	);
	const times: Array<readonly [milliseconds: number, what: string]> = [];
	for (const [what, text] of texts) {
		times.push([await measureCpu(async () => await run(text).catch(() => {})), what]);
	}
	const [[longest, what] = [0, '']] = times.sort(([one], [other]) => other - one);
	const order = JSON.stringify(orderOf(10_000));
	const usual = await measureCpu(async () => await run(order));
	figure(
		`a megabyte of hostile typed data in ${name}: ${longest.toFixed(0)} ms of the processor at most (${what}); an order of 10,000 items: ${usual.toFixed(0)} ms`,
	);
});

test('arguments in Data: Encode', async () => {
	const called = parseFunction('f(uint256[] list)');
	const list = Array.from({ length: 99_999 }, (_, at) => at);
	const milliseconds = await measureCpu(() => encodeFunctionData(called, [list]));
	figure(`${list.length + 1} arguments encoded: ${milliseconds.toFixed(0)} ms of the processor`);
});
