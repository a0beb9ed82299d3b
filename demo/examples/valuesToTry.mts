import type { Demo } from '../run/demo.mts';
import { BUCKET_ID } from './examples.mts';
import { toWitnessAddress } from './proofs.mts';
import { readStarkRollup } from './stark.mts';

/** Lists what to enter in a workflow of one's own: credentials, and what is on each chain of the sandbox. */
export async function listValuesToTry(demo: Demo): Promise<string> {
	const { chain, sandbox, ton } = demo;
	const { account, token: starkToken } = await readStarkRollup(demo);
	const { apiKey, authToken, nodeUrl, platformUrl } = sandbox;
	return `The credentials of the examples are ready for workflows of your own, and are renewed at each start. To make new
ones, which last until this start ends, as its addresses do:

  Chain Node Token API  Node Address ${nodeUrl}/${authToken}, for all chains of the sandbox
  Chain Platform API    Base URL ${platformUrl}, API Key ${apiKey}
  Chain Signer Key API  a new key, such as of "openssl rand -hex 32", with Chain IDs 31337 and Max Amount 1;
                        Chain Signer: Account: Get says its address, to which Chain Faucet gives coins

What to enter in their fields:

  EVM chain      account ${chain.owner}
                 token   ${chain.token}
                 Payments in it, one a minute: to ${chain.other}
  Witness chain  account ${toWitnessAddress(chain.treasury)}
                 token   ${toWitnessAddress(chain.token)}
                 Payments in it: run "Pay on a Witness Chain"; it is found for three minutes.
  TON            wallet  ${ton.payer}
                 jetton  ${ton.jetton}
                 Payments, one a minute: to ${ton.shop}
  STARK rollup   account ${account}
                 token   ${starkToken}
  IPFS           bucket  ${BUCKET_ID}
                 gateway ${platformUrl}/ipfs/`;
}
