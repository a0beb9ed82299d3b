import { status } from '@grpc/grpc-js';
import type { INodeType } from 'n8n-workflow';
import { run } from '../../../nodes/core/run';
import { call } from '../../nodes/Grpc/service';
import { grpc, connectGrpc } from '../../nodes/Grpc/client';
import { Grpc } from '../../nodes/Grpc/Grpc.node';
import { refusal, refusingScene } from '../support/refusingScene.mts';

const { calls, refusing, run: runCall } = refusingScene();

/** A node whose operation has `atMostOnce`, so it sends each call at most once, whatever the name of the method is. */
const spending: INodeType = {
	description: new Grpc().description,
	execute: async function () {
		const spend = grpc({ ...call, atMostOnce: true });
		return await run(this, { money: { name: 'Money', operations: { call: spend } } }, connectGrpc);
	},
};

const sending: Readonly<Record<string, [INodeType, string]>> = {
	'what a method sends, by its name': [new Grpc(), 'SendIt'],
	'what an operation sends': [spending, 'Echo'],
};

describe.each(Object.entries(sending))('%s', (_, [node, method]) => {
	const send = async (count = 1) => {
		const items = Array.from({ length: count }, () => ({ json: {} }));
		return (await runCall(method, { concurrency: 1 }, { node, items })).error;
	};
	const when = { 'grpc-retry-pushback-ms': '1' };

	test('is sent again when a limit says when to come back: then it has not been carried out', async () => {
		refusing(refusal('not now', when));
		expect(await send()).toBeUndefined();
		expect(calls()).toBe(2);
	});

	test('is not sent again when the limit does not say when', async () => {
		refusing(refusal('not now'));
		expect((await send())?.message).toBe('not now');
		expect(calls()).toBe(1);
	});

	test('is not sent again when nobody knows what became of it, which is reported once', async () => {
		refusing(refusal('not now', when, status.UNAVAILABLE));
		expect((await send())?.description?.split('may still have been carried out')).toHaveLength(2);
		expect(calls()).toBe(1);
	});

	test('is named when another item stops the run', async () => {
		refusing(undefined, refusal('not now', {}, status.INVALID_ARGUMENT));
		expect((await send(3))?.description).toContain('Carried out: item 0');
	});
});
