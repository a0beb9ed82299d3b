import { DEMO_HEADER } from '../run/credentials.mts';
import type { Demo } from '../run/demo.mts';
import { BUCKET_ID } from './examples.mts';
import { toWitnessAddress } from './proofs.mts';
import { readStarkRollup } from './stark.mts';

/** Lists values for workflows that a user builds: the credentials, and the contents of each chain of the sandbox. */
export async function listValuesToTry(demo: Demo): Promise<string> {
	const { chain, sandbox, ton } = demo;
	const { account, receiver, token: starkToken } = await readStarkRollup(demo);
	const { apiKey, authToken, nodeUrl, platformUrl } = sandbox;
	return `In your own workflows, choose the credentials of the examples: they are ready, and are renewed at each start.
If you make a credential yourself, these values are valid until you stop the demo:

  Chain Node Token API  Node Address ${nodeUrl}/${authToken}, for all chains of this demo
                        (a real address is for one chain)
  Chain Platform API    Base URL ${platformUrl}, API Key ${apiKey}
  Header Auth           Name ${DEMO_HEADER.name}, Value ${DEMO_HEADER.value}, to call the webhooks of the examples
  Chain Signer Key API  a new key, such as the output of "openssl rand -hex 32", with Chain IDs 31337 and Max Amount 1.
                        Chain Signer: Account: Get gives its address, and Chain Faucet sends coins to the address.

These accounts and tokens exist. With the credentials of the examples, Chain Pay pays in coins and in the tokens below:

  EVM chain      account ${chain.payer}, which pays
                 token   ${chain.token}
                 to      ${chain.other}, which gets a payment in this token each minute
                 feed    ${chain.feed}, the price of a coin in dollars
  TRON           account ${toWitnessAddress(chain.treasury)}, which pays
                 token   ${toWitnessAddress(chain.token)}
                 to      ${toWitnessAddress(chain.owner)}
                 To see payments, run the example "Pay on TRON". They are found for three minutes.
  TON            wallet  ${ton.payer}, which pays
                 jetton  ${ton.jetton}
                 to      ${ton.shop}, which gets a payment each minute
  STARK rollup   account ${account}, which pays
                 token   ${starkToken}
                 to      ${receiver}
  IPFS           bucket  ${BUCKET_ID}
                 gateway ${platformUrl}/ipfs/`;
}
