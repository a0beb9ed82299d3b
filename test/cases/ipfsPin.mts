import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { NodeCases } from './case.mts';

/** A text and its CID, which `ipfs-unixfs-importer` computed. */
const REPORT = {
	text: 'A short report',
	cid: 'bafkreic5housdy5r767kdhiv3f6kr5l2a2rjacsgwgcxprt7qxi6lxau64',
};
const JSON_REPORT = {
	text: '{ "name": "Report" }',
	cid: 'bafkreielfblmyyi5iddmcyegcnghmpqse6qocjtuyu44mfabl7qgm6gpga',
};
const PIN = { id: 'PIN-1', cid: 'bafy' };

export const ipfsPin: NodeCases = {
	node: 'ipfsPin',
	accesses: ['platform'],
	cases: [
		{
			resource: 'pin',
			operation: 'upload',
			file: { name: 'report.txt', text: REPORT.text },
			parameters: () => ({ bucketId: 'BUCK-1', options: { folderId: 'FOLD-1' } }),
			check: ([item]) => {
				assert.deepEqual([item?.cid, item?.cidVerified], [REPORT.cid, true]);
				assert.deepEqual([item?.title, item?.folder_id], ['report.txt', 'FOLD-1']);
			},
			faults: [{ travels: 'once', asks: { bucketId: 'BUCK-1' }, answer: PIN }],
		},
		{
			resource: 'pin',
			operation: 'download',
			parameters: async ({ first }) => {
				const pin = await first('ipfsPin', {
					operation: 'uploadJson',
					bucketId: 'BUCK-2',
					json: JSON.stringify({ made: randomUUID() }),
					fileName: 'made.json',
				});
				const { origin } = new URL(String(pin.public_link));
				return { cid: String(pin.cid), gateway: origin };
			},
			check: ([item]) => {
				assert.deepEqual([item?.size, item?.verified], [47, true]);
				assert.match(String(item?.cid), /^bafkrei/);
			},
			shown: {
				given: { cid: REPORT.cid, gateway: 'https://ipfs.example.com/ipfs/' },
				outcome: { cid: REPORT.cid, size: 14, verified: true },
			},
		},
		{
			resource: 'pin',
			operation: 'uploadJson',
			parameters: () => ({
				bucketId: 'BUCK-1',
				json: JSON_REPORT.text,
				fileName: 'report.json',
				options: { folderId: 'FOLD-1' },
			}),
			check: async ([item]) => {
				assert.deepEqual([item?.title, item?.cid], ['report.json', JSON_REPORT.cid]);
				const text = await (await fetch(String(item?.public_link))).text();
				assert.equal(text, JSON_REPORT.text);
			},
			faults: [
				{ travels: 'once', asks: { bucketId: 'BUCK-1', json: '={{ $json }}' }, answer: PIN },
			],
		},
	],
};
