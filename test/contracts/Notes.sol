// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Writes logs.
contract Notes {
	event Noted(address indexed by, uint256 indexed subject, uint256 number);
	event Erased(uint256 indexed subject);

	/// So many logs on the subject.
	function note(uint256 subject, uint256 count) external {
		for (uint256 number = 0; number < count; number++) emit Noted(msg.sender, subject, number);
	}

	function erase(uint256 subject) external {
		emit Erased(subject);
	}
}
