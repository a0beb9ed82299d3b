/** Allows a number of calls in any second. A call that comes too early is told when to come back. */
export class RateLimit {
	constructor(perSecond) {
		this.perSecond = perSecond;
		this.served = [];
	}

	/** Returns the milliseconds after which a call may be repeated. With 0, the call is served now. */
	waitFor(now) {
		if (this.perSecond === Infinity) return 0;
		this.served = this.served.filter((at) => now - at < 1000);
		if (this.served.length >= this.perSecond) return 1000 - (now - this.served[0]);
		this.served.push(now);
		return 0;
	}
}
