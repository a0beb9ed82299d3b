// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// What the odd tokens here have in common. Whoever deploys one has all of it.
abstract contract OddToken {
	string public symbol = "ODD";
	uint8 public decimals = 6;
	mapping(address => uint256) public balanceOf;

	constructor() {
		balanceOf[msg.sender] = 1_000_000_000_000;
	}

	/// Without a word.
	function give(address to, uint256 amount) external {
		move(msg.sender, to, amount);
	}

	function move(address from, address to, uint256 amount) internal {
		balanceOf[from] -= amount;
		balanceOf[to] += amount;
	}
}

/// Returns false where the balance does not suffice.
contract Refusing is OddToken {
	event Transfer(address indexed from, address indexed to, uint256 value);

	function transfer(address to, uint256 amount) external returns (bool) {
		if (balanceOf[msg.sender] < amount) return false;
		move(msg.sender, to, amount);
		emit Transfer(msg.sender, to, amount);
		return true;
	}
}

/// Returns false whoever asks: its owner has stopped it.
contract Frozen is OddToken {
	function transfer(address, uint256) external pure returns (bool) {
		return false;
	}
}

/// Moves tokens as long as nobody pays for it: a call succeeds, and a transaction moves nothing.
contract Pretending is OddToken {
	event Transfer(address indexed from, address indexed to, uint256 value);

	function transfer(address to, uint256 amount) external returns (bool) {
		if (tx.gasprice > 0) return false;
		move(msg.sender, to, amount);
		emit Transfer(msg.sender, to, amount);
		return true;
	}
}

/// Moves, and returns false: so does the largest stablecoin of the witness chain.
contract Silent is OddToken {
	event Transfer(address indexed from, address indexed to, uint256 value);

	function transfer(address to, uint256 amount) external returns (bool) {
		move(msg.sender, to, amount);
		emit Transfer(msg.sender, to, amount);
		return false;
	}
}

/// Keeps a tenth.
contract Sharing is OddToken {
	event Transfer(address indexed from, address indexed to, uint256 value);

	function transfer(address to, uint256 amount) external returns (bool) {
		uint256 share = amount / 10;
		move(msg.sender, to, amount - share);
		move(msg.sender, address(this), share);
		emit Transfer(msg.sender, to, amount - share);
		emit Transfer(msg.sender, address(this), share);
		return true;
	}
}

/// Keeps all.
contract Keeping is OddToken {
	event Transfer(address indexed from, address indexed to, uint256 value);

	function transfer(address, uint256 amount) external returns (bool) {
		move(msg.sender, address(this), amount);
		emit Transfer(msg.sender, address(this), amount);
		return true;
	}
}

/// Moves everything by way of itself.
contract Detour is OddToken {
	event Transfer(address indexed from, address indexed to, uint256 value);

	function transfer(address to, uint256 amount) external returns (bool) {
		move(msg.sender, to, amount);
		emit Transfer(msg.sender, address(this), amount);
		emit Transfer(address(this), to, amount);
		return true;
	}
}

/// One of the first years: nothing in its events is indexed.
contract Unindexed is OddToken {
	event Transfer(address from, address to, uint256 value);

	function transfer(address to, uint256 amount) external returns (bool) {
		move(msg.sender, to, amount);
		emit Transfer(msg.sender, to, amount);
		return true;
	}
}
