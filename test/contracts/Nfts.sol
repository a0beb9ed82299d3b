// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface SingleReceiver {
	function onERC721Received(address, address, uint256, bytes calldata) external returns (bytes4);
}

interface SeveralReceiver {
	function onERC1155Received(address, address, uint256, uint256, bytes calldata) external returns (bytes4);
}

/// ERC-721 to the letter, with its metadata.
contract Collection {
	event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
	event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
	event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

	string public constant name = unicode"Collection ☂";
	string public constant symbol = "COLL";
	mapping(address => uint256) private held;
	mapping(uint256 => address) private owners;
	mapping(uint256 => string) private uris;
	mapping(uint256 => address) private approved;
	mapping(address => mapping(address => bool)) public isApprovedForAll;

	function supportsInterface(bytes4 id) external pure returns (bool) {
		return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f;
	}

	function balanceOf(address owner) external view returns (uint256) {
		require(owner != address(0), "no owner");
		return held[owner];
	}

	function ownerOf(uint256 tokenId) public view returns (address owner) {
		owner = owners[tokenId];
		require(owner != address(0), "no such token");
	}

	function tokenURI(uint256 tokenId) external view returns (string memory) {
		ownerOf(tokenId);
		return uris[tokenId];
	}

	function getApproved(uint256 tokenId) public view returns (address) {
		ownerOf(tokenId);
		return approved[tokenId];
	}

	function approve(address to, uint256 tokenId) external {
		address owner = ownerOf(tokenId);
		require(msg.sender == owner || isApprovedForAll[owner][msg.sender], "not yours");
		approved[tokenId] = to;
		emit Approval(owner, to, tokenId);
	}

	function setApprovalForAll(address operator, bool isApproved) external {
		isApprovedForAll[msg.sender][operator] = isApproved;
		emit ApprovalForAll(msg.sender, operator, isApproved);
	}

	function transferFrom(address from, address to, uint256 tokenId) public {
		address owner = ownerOf(tokenId);
		bool isAllowed = msg.sender == owner || isApprovedForAll[owner][msg.sender];
		require(from == owner && (isAllowed || msg.sender == approved[tokenId]), "not yours");
		require(to != address(0), "nobody");
		delete approved[tokenId];
		move(from, to, tokenId);
	}

	function safeTransferFrom(address from, address to, uint256 tokenId) external {
		safeTransferFrom(from, to, tokenId, "");
	}

	function safeTransferFrom(address from, address to, uint256 tokenId, bytes memory data) public {
		transferFrom(from, to, tokenId);
		if (to.code.length == 0) return;
		bytes4 answer = SingleReceiver(to).onERC721Received(msg.sender, from, tokenId, data);
		require(answer == 0x150b7a02, "not taken");
	}

	function mint(address to, uint256 tokenId, string calldata uri) public {
		require(owners[tokenId] == address(0), "made before");
		uris[tokenId] = uri;
		move(address(0), to, tokenId);
	}

	function mintMany(address to, uint256 first, uint256 count) external {
		for (uint256 at = 0; at < count; at++) move(address(0), to, first + at);
	}

	function burn(uint256 tokenId) external {
		move(ownerOf(tokenId), address(0), tokenId);
	}

	function move(address from, address to, uint256 tokenId) private {
		if (from != address(0)) held[from]--;
		if (to != address(0)) held[to]++;
		owners[tokenId] = to;
		emit Transfer(from, to, tokenId);
	}
}

/// ERC-1155 to the letter, with one address of metadata for all.
contract Editions {
	event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
	event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values);
	event ApprovalForAll(address indexed owner, address indexed operator, bool approved);
	event URI(string value, uint256 indexed id);

	mapping(uint256 => mapping(address => uint256)) private held;
	mapping(address => mapping(address => bool)) public isApprovedForAll;
	string private place;

	function supportsInterface(bytes4 id) external pure returns (bool) {
		return id == 0x01ffc9a7 || id == 0xd9b67a26 || id == 0x0e89341c;
	}

	function uri(uint256) external view returns (string memory) {
		return place;
	}

	function setURI(string calldata value) external {
		place = value;
		emit URI(value, 0);
	}

	function balanceOf(address owner, uint256 id) public view returns (uint256) {
		require(owner != address(0), "no owner");
		return held[id][owner];
	}

	function balanceOfBatch(address[] calldata owners, uint256[] calldata ids) external view returns (uint256[] memory all) {
		require(owners.length == ids.length, "not pairs");
		all = new uint256[](ids.length);
		for (uint256 at = 0; at < ids.length; at++) all[at] = balanceOf(owners[at], ids[at]);
	}

	function setApprovalForAll(address operator, bool isApproved) external {
		isApprovedForAll[msg.sender][operator] = isApproved;
		emit ApprovalForAll(msg.sender, operator, isApproved);
	}

	function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata data) external {
		require(msg.sender == from || isApprovedForAll[from][msg.sender], "not yours");
		move(from, to, id, value);
		emit TransferSingle(msg.sender, from, to, id, value);
		if (to.code.length == 0) return;
		bytes4 answer = SeveralReceiver(to).onERC1155Received(msg.sender, from, id, value, data);
		require(answer == 0xf23a6e61, "not taken");
	}

	function safeBatchTransferFrom(address from, address to, uint256[] calldata ids, uint256[] calldata values, bytes calldata) external {
		require(msg.sender == from || isApprovedForAll[from][msg.sender], "not yours");
		require(ids.length == values.length, "not pairs");
		for (uint256 at = 0; at < ids.length; at++) move(from, to, ids[at], values[at]);
		emit TransferBatch(msg.sender, from, to, ids, values);
	}

	function mint(address to, uint256 id, uint256 value) external {
		held[id][to] += value;
		emit TransferSingle(msg.sender, address(0), to, id, value);
	}

	function move(address from, address to, uint256 id, uint256 value) private {
		require(to != address(0), "nobody");
		held[id][from] -= value;
		held[id][to] += value;
	}
}

/// Older than ERC-165, and its event has nothing indexed.
contract Early {
	event Transfer(address from, address to, uint256 tokenId);

	mapping(uint256 => address) public ownerOf;
	mapping(address => uint256) public balanceOf;

	function give(address to, uint256 tokenId) external {
		balanceOf[to]++;
		emit Transfer(ownerOf[tokenId], to, tokenId);
		ownerOf[tokenId] = to;
	}
}

/// Older than ERC-165, and of many each.
contract EarlyEditions {
	mapping(address => mapping(uint256 => uint256)) public balanceOf;

	constructor() {
		balanceOf[msg.sender][7] = 3;
	}
}

/// Says of itself what it is not: ERC-1155, or everything.
contract Liar {
	bool private immutable saysAll;

	constructor(bool all) {
		saysAll = all;
	}

	function supportsInterface(bytes4 id) external view returns (bool) {
		return saysAll || id == 0xd9b67a26;
	}

	function ownerOf(uint256) external view returns (address) {
		return address(this);
	}

	function balanceOf(address) external pure returns (uint256) {
		return 5;
	}
}

/// Says that it is of ERC-721, and answers the rest with what fits no type: 2 for yes, an address of more than twenty bytes.
contract Dirty {
	fallback() external {
		bytes4 called = msg.sig;
		bytes4 asked = bytes4(msg.data[4:8]);
		require(called != 0x00fdd58e, "no such balance");
		assembly {
			mstore(0, add(1, iszero(eq(shr(224, asked), 0x80ac58cd))))
			if eq(shr(224, called), 0x6352211e) {
				mstore(0, or(shl(160, 0xdead), address()))
			}
			return(0, 0x20)
		}
	}
}

/// ERC-721 whose address of metadata fails, or has five million characters.
contract Heavy {
	function supportsInterface(bytes4 id) external pure returns (bool) {
		return id == 0x01ffc9a7 || id == 0x80ac58cd;
	}

	function ownerOf(uint256) external view returns (address) {
		return address(this);
	}

	function name() external pure {
		revert("no name");
	}

	function tokenURI(uint256 tokenId) external pure returns (string memory) {
		require(tokenId != 0, "no address");
		assembly {
			mstore(0, 0x20)
			mstore(0x20, 5000000)
			return(0, 5000064)
		}
	}
}

/// Writes any log: what no honest contract does.
contract Scribe {
	function write(bytes32[4] calldata topics, bytes calldata data) external {
		bytes memory copy = data;
		(bytes32 a, bytes32 b, bytes32 c, bytes32 d) = (topics[0], topics[1], topics[2], topics[3]);
		assembly {
			log4(add(copy, 0x20), mload(copy), a, b, c, d)
		}
	}
}
