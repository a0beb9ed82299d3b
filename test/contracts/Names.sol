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

/// Its names are known to servers alone (EIP-3668). It takes what they answer if it is signed.
contract Elsewhere {
	error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

	string[] private urls;
	address private signer;
	/// In whose name it asks: its own, where it is zero.
	address private sender;
	/// How often it asks again when it has an answer.
	uint256 private repeats;
	/// Whether names below its own are asked here (ENSIP-10).
	bool private isWildcard;

	function setUp(string[] memory urls_, address signer_, address sender_, uint256 repeats_, bool isWildcard_) external {
		(urls, signer, sender, repeats, isWildcard) = (urls_, signer_, sender_, repeats_, isWildcard_);
	}

	function supportsInterface(bytes4 id) external view returns (bool) {
		return isWildcard && id == 0x9061b923;
	}

	function resolve(bytes calldata, bytes calldata data) external view returns (bytes memory) {
		ask(data, this.takeWrapped.selector, repeats);
	}

	function addr(bytes32) external view returns (address) {
		ask(msg.data, this.takePlain.selector, repeats);
	}

	function text(bytes32, string calldata) external view returns (string memory) {
		ask(msg.data, this.takePlain.selector, repeats);
	}

	function name(bytes32) external view returns (string memory) {
		ask(msg.data, this.takePlain.selector, repeats);
	}

	function ask(bytes memory data, bytes4 callback, uint256 left) private view {
		address asking = sender == address(0) ? address(this) : sender;
		revert OffchainLookup(asking, urls, data, callback, abi.encode(data, left));
	}

	/// The answer to `resolve`: the record as bytes.
	function takeWrapped(bytes calldata response, bytes calldata extraData) external view returns (bytes memory) {
		return check(response, extraData, this.takeWrapped.selector);
	}

	/// The answer to a record that was asked by itself.
	function takePlain(bytes calldata response, bytes calldata extraData) external view {
		bytes memory result = check(response, extraData, this.takePlain.selector);
		assembly {
			return(add(result, 32), mload(result))
		}
	}

	function check(bytes calldata response, bytes calldata extraData, bytes4 callback) private view returns (bytes memory) {
		(bytes memory data, uint256 left) = abi.decode(extraData, (bytes, uint256));
		(bytes memory result, bytes32 r, bytes32 s, uint8 v) = abi.decode(response, (bytes, bytes32, bytes32, uint8));
		bytes32 hash = keccak256(abi.encode(address(this), data, result));
		require(ecrecover(hash, v, r, s) == signer, "not signed by the owner");
		if (left > 0) ask(data, callback, left - 1);
		return result;
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
