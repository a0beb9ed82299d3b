// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Takes and gives values of every shape.
contract Shapes {
	struct Line {
		uint48 number;
		string text;
	}

	struct Order {
		uint256 id;
		address maker;
		Line[] lines;
		bytes4 tag;
		int24[2] range;
		bool isOpen;
	}

	event Ordered(address indexed maker, string indexed note, uint16[] indexed sizes, Order order);
	event Placed(Line indexed line, bytes data);
	event Hidden(uint256 indexed id, string note) anonymous;

	error TooLittle(uint256 available, uint256 wanted, string reason);

	function echo(Order calldata order) external pure returns (Order memory) {
		return order;
	}

	function split(Order calldata order)
		external
		pure
		returns (uint256 id, address maker, int24[2] memory range)
	{
		return (order.id, order.maker, order.range);
	}

	function matrix(uint256[][] calldata rows, bytes32[2] calldata pair)
		external
		pure
		returns (uint256[][] memory, bytes32[2] memory)
	{
		return (rows, pair);
	}

	function tell(Order calldata order, string calldata note, uint16[] calldata sizes) external {
		emit Ordered(order.maker, note, sizes, order);
		emit Placed(order.lines[0], bytes(note));
		emit Hidden(order.id, note);
	}

	function fail(uint256 available, uint256 wanted) external pure {
		revert TooLittle(available, wanted, unicode"zu wenig – ∞");
	}
}
