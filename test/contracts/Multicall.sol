// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// The function of Multicall3 that carries out calls of many contracts in one transaction.
contract Multicall {
	struct Call3 {
		address target;
		bool allowFailure;
		bytes callData;
	}

	struct Result {
		bool success;
		bytes returnData;
	}

	function aggregate3(Call3[] calldata calls) public payable returns (Result[] memory returnData) {
		uint256 length = calls.length;
		returnData = new Result[](length);
		for (uint256 i = 0; i < length; i++) {
			Result memory result = returnData[i];
			(result.success, result.returnData) = calls[i].target.call(calls[i].callData);
			require(calls[i].allowFailure || result.success, "Multicall3: call failed");
		}
	}
}
