/** In milliseconds. */
export const timing = {
	/** How long a connection may take to open. */
	opening: 10_000,
	/** How often it is looked whether the connection lives. */
	look: 5_000,
	/** After so long without a message, the node is asked for a sign of life. */
	silence: 20_000,
	/** How long an answer may take before the connection counts as dead. */
	patience: 15_000,
	firstBackoff: 500,
	longestBackoff: 15_000,
	/** A connection that lasted so long was a good one: the next attempt comes soon. */
	goodLife: 3_000,
	/** An outage of this length is told; services close idle connections now and then. */
	outage: 30_000,
	/** After a failure the connection rests at least so long before the chain is read again, and at most so long. */
	pause: 1_000,
	longestPause: 60_000,
	/** After so long without a pending transaction, the subscription is renewed; most chains are never so quiet. */
	renewal: 300_000,
	/** What comes within this time starts one execution. */
	gathering: 100,
};
