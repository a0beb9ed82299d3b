import { parseFileGateway } from '../../../nodes/core/ipfs/address';

const CID = 'bafkreic5housdy5r767kdhiv3f6kr5l2a2rjacsgwgcxprt7qxi6lxau64';

test.each([
	['https://ipfs.example.com', 'https://ipfs.example.com/ipfs/'],
	['https://ipfs.example.com/ipfs', 'https://ipfs.example.com/ipfs/'],
	['https://example.com/key/ipfs/?token=1', 'https://example.com/key/ipfs/?token=1'],
	[`https://ipfs.example.com/ipfs/${CID}`, 'https://ipfs.example.com/ipfs/'],
	[`https://example.com/key/ipfs/${CID}/a/b.png?c=1`, 'https://example.com/key/ipfs/'],
	['https://example.com/ipfs/mine', 'https://example.com/ipfs/mine/ipfs/'],
])('%s is the gateway %s', (given, gateway) => {
	expect(parseFileGateway(given)).toBe(gateway);
});
