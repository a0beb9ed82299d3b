// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// What is for sale; it isn't empty.
library Goods {
	enum Kind {
		Coin,
		Token
	}

	type Price is uint128;

	struct Line {
		Kind kind;
		IToken token;
		Price price;
	}
}

interface IToken {}

abstract contract Owned {
	using Goods for Goods.Line;

	address payable private owner = payable(msg.sender);
	mapping(address => uint256) private balances; // https://example.com/*

	error NotOwner(address who);

	modifier onlyOwner() {
		if (msg.sender != owner) revert NotOwner(msg.sender);
		_;
	}

	constructor(uint256 first) {
		balances[owner] = first;
	}

	receive() external payable {}

	function pay(string memory text) internal onlyOwner {
		require(bytes(text).length > 0, "} no text");
	}
}

interface IMarket {
	struct Order {
		address payable maker;
		Goods.Line[] lines;
		bytes32[2] proof;
	}

	event Placed(address indexed maker, Order order, Status indexed status);
	error Unknown(Order[] orders, Status status);

	enum Status {
		Open,
		Closed
	}

	function place(
		Order calldata order,
		Goods.Price[2][] memory prices
	)
		external
		payable
		returns (IToken token, Status status);
}

interface IShop is IMarket
{
	struct Offer {
		Order last;
		IMarket.Status market;
	}

	function sell(Order memory order, IMarket market, Goods.Kind) external returns (Offer memory);
}

interface IOther {
	struct Status {
		bool isOn;
	}

	function other(Status memory status) external view;
}
