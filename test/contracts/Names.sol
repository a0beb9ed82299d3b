// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Knows the resolver of each name.
contract Registry {
	mapping(bytes32 => address) public resolver;

	function setResolver(bytes32 node, address to) external {
		resolver[node] = to;
	}
}

/// Has the records of single names.
contract Records {
	mapping(bytes32 => address) public addr;
	mapping(bytes32 => string) public name;
	mapping(bytes32 => mapping(string => string)) public text;

	function setAddr(bytes32 node, address to) external {
		addr[node] = to;
	}

	function setName(bytes32 node, string calldata to) external {
		name[node] = to;
	}

	function setText(bytes32 node, string calldata key, string calldata to) external {
		text[node][key] = to;
	}
}

/// Answers for all names below its own (ENSIP-10): with an address made of the name, and with the name itself.
contract Wildcard {
	function supportsInterface(bytes4 id) external pure returns (bool) {
		return id == 0x9061b923;
	}

	function resolve(bytes calldata name, bytes calldata data) external pure returns (bytes memory) {
		if (bytes4(data) == 0x3b3b57de) return abi.encode(address(uint160(uint256(keccak256(name)))));
		if (bytes4(data) == 0x59d1d43c) return abi.encode(string(name));
		return "";
	}
}

/// Its names are known to a server alone (EIP-3668).
contract Elsewhere {
	error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

	function supportsInterface(bytes4 id) external pure returns (bool) {
		return id == 0x9061b923;
	}

	function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory) {
		string[] memory urls = new string[](1);
		urls[0] = "https://names.example.com/{sender}/{data}.json";
		revert OffchainLookup(address(this), urls, data, this.resolve.selector, name);
	}
}

/// Answers with what no address can be, and with a name of two words of nothing.
contract Dirty {
	function name(bytes32) external pure returns (uint256, uint256) {
		return (type(uint256).max, 0);
	}

	function addr(bytes32) external pure returns (uint256) {
		return type(uint256).max;
	}
}

/// Knows no resolver, but a number.
contract BrokenRegistry {
	function resolver(bytes32) external pure returns (uint256) {
		return type(uint256).max;
	}
}
