// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Hands on what it is sent: transfers that only traces show.
contract Relay {
	function pass(address payable to) external payable {
		(bool isPassed, ) = to.call{value: msg.value}("");
		require(isPassed, "not passed");
	}
}
