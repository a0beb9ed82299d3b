// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// A contract that lets one key sign for it (EIP-1271).
contract Wallet {
	address private immutable owner;

	constructor(address signer) {
		owner = signer;
	}

	function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
		require(signature.length == 65, "65 bytes are wanted");
		bytes32 r = bytes32(signature[0:32]);
		bytes32 s = bytes32(signature[32:64]);
		bool isOwners = ecrecover(hash, uint8(signature[64]), r, s) == owner;
		return isOwners ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
	}
}

/// Answers right, and more.
contract Talkative {
	function isValidSignature(bytes32, bytes calldata) external pure returns (uint256) {
		return (uint256(0x1626ba7e) << 224) | 1;
	}
}

/// Takes all for signed.
contract Generous {
	function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
		return 0x1626ba7e;
	}
}

/// Takes all for signed, after as much work as its maker wants.
contract Spendthrift {
	uint256 private immutable wasted;

	constructor(uint256 gas) {
		wasted = gas;
	}

	function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
		uint256 start = gasleft();
		while (start - gasleft() < wasted) {}
		return 0x1626ba7e;
	}
}
