/** Allows this many calls in any second; a call that comes too early is answered with the time to come back. */
export class RateLimit {
	constructor(perSecond) {
		this.perSecond = perSecond;
		this.served = [];
	}

	/** The milliseconds until a call is served; 0 serves it. */
	waitFor(now) {
		if (this.perSecond === Infinity) return 0;
		this.served = this.served.filter((at) => now - at < 1000);
		if (this.served.length >= this.perSecond) return 1000 - (now - this.served[0]);
		this.served.push(now);
		return 0;
	}
}
