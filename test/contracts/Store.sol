// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Keeps a number, and reverts in each of the ways that a contract can.
contract Store {
	uint256 public value;

	error Denied(address who);

	function set(uint256 wanted) external payable {
		require(wanted < 100, "too big");
		value = wanted;
	}

	function overflow(uint8 by) external pure returns (uint8) {
		return 200 + by;
	}

	function deny() external view {
		revert Denied(msg.sender);
	}
}
