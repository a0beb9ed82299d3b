// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// A price feed as those in use, whose rounds a test sets as it likes.
contract Feed {
	struct Round {
		uint80 roundId;
		int256 answer;
		uint256 startedAt;
		uint256 updatedAt;
		uint80 answeredInRound;
	}

	string public constant description = "COIN / USD";
	uint8 public constant decimals = 8;
	Round private latest;

	function set(int256 answer) external {
		setRound(latest.roundId + 1, answer, block.timestamp, latest.roundId + 1);
	}

	function setRound(
		uint80 roundId,
		int256 answer,
		uint256 updatedAt,
		uint80 answeredInRound
	) public {
		latest = Round(roundId, answer, updatedAt, updatedAt, answeredInRound);
	}

	function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
		require(latest.roundId > 0, "No data present");
		return (
			latest.roundId,
			latest.answer,
			latest.startedAt,
			latest.updatedAt,
			latest.answeredInRound
		);
	}
}
