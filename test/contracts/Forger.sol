// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Makes traces that look like payments and move nothing, and one that is a payment.
contract Forger {
	receive() external payable {}

	/// A payment that is taken back with the whole transaction.
	function payAndRevert(address payable to) public payable {
		pay(to);
		revert("taken back");
	}

	/// A payment that is taken back while the transaction succeeds.
	function payAndRevertWithin(address payable to) external payable {
		try this.payAndRevert{value: msg.value}(to) {} catch {}
	}

	/// The code of an account, run here: the value goes nowhere.
	function delegate(address to) external payable {
		(bool isDone, ) = to.delegatecall("");
		require(isDone, "not delegated");
	}

	/// As before 2016, when it was named so: the value goes from here to here.
	function callCode(address to) external payable {
		assembly {
			pop(callcode(gas(), to, callvalue(), 0, 0, 0, 0))
		}
	}

	function pay(address payable to) public payable {
		(bool isPaid, ) = to.call{value: msg.value}("");
		require(isPaid, "not paid");
	}
}
