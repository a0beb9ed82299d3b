// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Hands every call on to another contract, as upgradeable ones do.
contract Proxy {
	address private immutable target;

	constructor(address to) {
		target = to;
	}

	fallback() external payable {
		(bool isDone, ) = target.delegatecall(msg.data);
		require(isDone, "not done");
	}
}
