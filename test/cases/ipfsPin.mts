import assert from 'node:assert/strict';
import type { NodeCases } from './case.mts';

/** Each text with its CID, as `ipfs-unixfs-importer` computes it. */
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
				assert.equal(item?.cid, REPORT.cid);
				assert.deepEqual([item?.title, item?.folder_id], ['report.txt', 'FOLD-1']);
			},
			faults: [{ travels: 'once', asks: { bucketId: 'BUCK-1' }, answer: PIN }],
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
