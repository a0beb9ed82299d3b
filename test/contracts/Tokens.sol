// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// A token as most are, with six decimals.
contract Coin {
	event Transfer(address indexed from, address indexed to, uint256 value);

	string public name = "Test Coin";
	string public symbol = unicode"TC€";
	uint8 public decimals = 6;
	uint256 public totalSupply = 1_000_000_500_000;
	mapping(address => uint256) public balanceOf;
	mapping(address => mapping(address => uint256)) public allowance;

	constructor() {
		balanceOf[msg.sender] = totalSupply;
	}

	function approve(address spender, uint256 amount) external returns (bool) {
		allowance[msg.sender][spender] = amount;
		return true;
	}

	function transfer(address to, uint256 amount) public returns (bool) {
		balanceOf[msg.sender] -= amount;
		balanceOf[to] += amount;
		emit Transfer(msg.sender, to, amount);
		return true;
	}

	/// Many transfers in one block, of 1, 2, 3 … of the smallest unit.
	function transferMany(address to, uint256 count) external {
		for (uint256 amount = 1; amount <= count; amount++) transfer(to, amount);
	}
}

/// One of the oldest kind: texts in 32 bytes, no decimals.
contract OldCoin {
	bytes32 public name = "Old Coin";
	bytes32 public symbol = "OLD";
	uint256 public totalSupply = 7;
	mapping(address => uint256) public balanceOf;

	constructor() {
		balanceOf[msg.sender] = 7;
	}
}

/// Stands before another contract, which runs with the data of this one.
contract Proxy {
	address private immutable behind;

	constructor(address implementation) {
		behind = implementation;
	}

	fallback() external payable {
		address target = behind;
		assembly {
			calldatacopy(0, 0, calldatasize())
			let isDone := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
			returndatacopy(0, 0, returndatasize())
			switch isDone
			case 0 {
				revert(0, returndatasize())
			}
			default {
				return(0, returndatasize())
			}
		}
	}
}

/// What a proxy can stand before: it keeps nothing.
contract Constant {
	string public constant name = "Behind a Proxy";
	string public constant symbol = "PXY";
	uint8 public constant decimals = 18;
	uint256 public constant totalSupply = 1.5 ether;

	function balanceOf(address) external pure returns (uint256) {
		return 1;
	}
}

/// Answers to confuse: a text that never ends, decimals that are none, a name that fails.
contract Hostile {
	event Transfer(address indexed from, address indexed to, uint256 value);
	event Transfer(address indexed from, address indexed to, uint256 indexed id, bool other);

	function name() external pure {
		revert("no name");
	}

	function symbol() external pure returns (bytes memory) {
		assembly {
			mstore(0, 0x20)
			mstore(0x20, not(0))
			return(0, 0x60)
		}
	}

	function decimals() external pure returns (uint256) {
		return type(uint256).max;
	}

	function balanceOf(address) external pure returns (uint256) {
		return type(uint256).max;
	}

	function send(address to) external {
		emit Transfer(msg.sender, to, type(uint256).max);
	}
}

/// A collection of things that cannot be divided: its transfers have another shape.
contract Collectible {
	event Transfer(address indexed from, address indexed to, uint256 indexed id);

	function transfer(address to, uint256 id) external {
		emit Transfer(msg.sender, to, id);
	}
}

/// Events of every shape.
contract Events {
	event Plain(uint256 indexed number, address who, string text);
	event Nothing();
	event Hashed(string indexed text, uint256[] numbers);

	function plain(uint256 number, string calldata text) external {
		emit Plain(number, msg.sender, text);
	}

	function nothing() external {
		emit Nothing();
	}

	function hashed(string calldata text, uint256[] calldata numbers) external {
		emit Hashed(text, numbers);
	}
}
