import { DEMO_HEADER } from '../run/credentials.mts';
import type { Demo } from '../run/demo.mts';
import { BUCKET_ID } from './examples.mts';
import { toWitnessAddress } from './proofs.mts';
import { readStarkRollup } from './stark.mts';

/** Lists what to enter in a workflow of one's own: credentials, and what is on each chain of the sandbox. */
export async function listValuesToTry(demo: Demo): Promise<string> {
	const { chain, sandbox, ton } = demo;
	const { account, receiver, token: starkToken } = await readStarkRollup(demo);
	const { apiKey, authToken, nodeUrl, platformUrl } = sandbox;
	return `The credentials of the examples are ready for workflows of your own, and are renewed at each start. To make new
ones, which last until this start ends, as its addresses do:

  Chain Node Token API  Node Address ${nodeUrl}/${authToken}, for all chains of the sandbox
  Chain Platform API    Base URL ${platformUrl}, API Key ${apiKey}
  Header Auth           Name ${DEMO_HEADER.name}, Value ${DEMO_HEADER.value}: who calls a webhook of the examples sends this header
  Chain Signer Key API  a new key, such as of "openssl rand -hex 32", with Chain IDs 31337 and Max Amount 1;
                        Chain Signer: Account: Get says its address, to which Chain Faucet gives coins

What to enter in their fields. Chain Pay pays with the credentials that are ready, coins and each of these tokens:

  EVM chain      account ${chain.owner}
                 token   ${chain.token}
                 to      ${chain.other}, which gets a payment in the token each minute
                 feed    ${chain.feed}, the price of a coin in dollars
  TRON           account ${toWitnessAddress(chain.treasury)}, which pays
                 token   ${toWitnessAddress(chain.token)}
                 to      ${toWitnessAddress(chain.owner)}
                 Payments in it: run "Pay on TRON"; it is found for three minutes.
  TON            wallet  ${ton.payer}, which pays
                 jetton  ${ton.jetton}
                 to      ${ton.shop}, which gets a payment each minute
  STARK rollup   account ${account}, which pays
                 token   ${starkToken}
                 to      ${receiver}
  IPFS           bucket  ${BUCKET_ID}
                 gateway ${platformUrl}/ipfs/`;
}
