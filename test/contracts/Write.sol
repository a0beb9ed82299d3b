// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// A token that may be spent by others, and that says no by returning false.
contract Allowed {
	string public symbol = "ALW";
	uint8 public decimals = 6;
	mapping(address => uint256) public balanceOf;
	mapping(address => mapping(address => uint256)) public allowance;

	constructor() {
		balanceOf[msg.sender] = 1_000_000_000;
	}

	function transfer(address to, uint256 amount) external returns (bool) {
		if (balanceOf[msg.sender] < amount) return false;
		balanceOf[msg.sender] -= amount;
		balanceOf[to] += amount;
		return true;
	}

	function approve(address spender, uint256 amount) external returns (bool) {
		allowance[msg.sender][spender] = amount;
		return true;
	}
}

/// What can be paid, refused and called by nobody but its owner.
contract Till {
	error TooLittle(uint256 wanted, uint256 given);

	string public name;
	uint256 public paid;
	address public owner = msg.sender;

	constructor(string memory called, uint256 first) payable {
		name = called;
		paid = first;
	}

	function pay(uint256 atLeast) external payable {
		if (msg.value < atLeast) revert TooLittle(atLeast, msg.value);
		paid += msg.value;
	}

	function close() external {
		require(msg.sender == owner, "not the owner");
		paid = 0;
	}
}

/// Its tokens are one each.
contract Single {
	mapping(uint256 => address) public ownerOf;

	constructor() {
		ownerOf[7] = msg.sender;
	}

	function supportsInterface(bytes4 id) external pure returns (bool) {
		return id == 0x80ac58cd || id == 0x01ffc9a7;
	}

	function safeTransferFrom(address from, address to, uint256 id) external {
		require(ownerOf[id] == from && msg.sender == from, "not yours");
		ownerOf[id] = to;
	}
}

/// Its tokens are many of each.
contract Several {
	mapping(address => mapping(uint256 => uint256)) public balanceOf;

	constructor() {
		balanceOf[msg.sender][7] = 10;
	}

	function supportsInterface(bytes4 id) external pure returns (bool) {
		return id == 0xd9b67a26 || id == 0x01ffc9a7;
	}

	function safeTransferFrom(
		address from,
		address to,
		uint256 id,
		uint256 quantity,
		bytes calldata
	) external {
		require(msg.sender == from, "not yours");
		balanceOf[from][id] -= quantity;
		balanceOf[to][id] += quantity;
	}
}
