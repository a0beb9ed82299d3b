// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// As much of a token as the examples call.
contract Token {
	event Transfer(address indexed from, address indexed to, uint256 value);
	event Approval(address indexed owner, address indexed spender, uint256 value);

	string public constant name = "Demo Coin";
	string public constant symbol = "DEMO";
	uint8 public constant decimals = 18;
	uint256 public totalSupply = 1000000 ether;
	mapping(address => uint256) public balanceOf;
	mapping(address => mapping(address => uint256)) public allowance;

	constructor() {
		balanceOf[msg.sender] = totalSupply;
	}

	function transfer(address to, uint256 amount) external returns (bool) {
		require(balanceOf[msg.sender] >= amount, "transfer amount exceeds balance");
		balanceOf[msg.sender] -= amount;
		balanceOf[to] += amount;
		emit Transfer(msg.sender, to, amount);
		return true;
	}

	function approve(address spender, uint256 amount) external returns (bool) {
		allowance[msg.sender][spender] = amount;
		emit Approval(msg.sender, spender, amount);
		return true;
	}
}

/// As much of a stablecoin as takes payments by signature (EIP-3009).
contract Dollar {
	event Transfer(address indexed from, address indexed to, uint256 value);
	event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

	string public constant name = "Demo Dollar";
	string public constant symbol = "DUSD";
	string public constant version = "1";
	uint8 public constant decimals = 6;
	uint256 public constant totalSupply = 1000000e6;
	mapping(address => uint256) public balanceOf;
	mapping(address => mapping(bytes32 => bool)) public authorizationState;

	bytes32 private constant DOMAIN_KIND =
		keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
	bytes32 private constant AUTHORIZATION_KIND =
		keccak256(
			"TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
		);

	constructor() {
		balanceOf[msg.sender] = totalSupply;
	}

	function transfer(address to, uint256 value) external returns (bool) {
		move(msg.sender, to, value);
		return true;
	}

	function transferWithAuthorization(
		address from,
		address to,
		uint256 value,
		uint256 validAfter,
		uint256 validBefore,
		bytes32 nonce,
		uint8 v,
		bytes32 r,
		bytes32 s
	) external {
		require(block.timestamp > validAfter, "authorization is not yet valid");
		require(block.timestamp < validBefore, "authorization is expired");
		require(!authorizationState[from][nonce], "authorization is used");
		bytes32 content = keccak256(abi.encode(AUTHORIZATION_KIND, from, to, value, validAfter, validBefore, nonce));
		address signer = ecrecover(keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), content)), v, r, s);
		require(signer != address(0) && signer == from, "invalid signature");
		authorizationState[from][nonce] = true;
		emit AuthorizationUsed(from, nonce);
		move(from, to, value);
	}

	function DOMAIN_SEPARATOR() public view returns (bytes32) {
		return
			keccak256(
				abi.encode(
					DOMAIN_KIND,
					keccak256(bytes(name)),
					keccak256(bytes(version)),
					block.chainid,
					address(this)
				)
			);
	}

	function move(address from, address to, uint256 value) private {
		require(balanceOf[from] >= value, "transfer amount exceeds balance");
		balanceOf[from] -= value;
		balanceOf[to] += value;
		emit Transfer(from, to, value);
	}
}

/// Hands on what it is sent in equal parts: transfers that only traces show.
contract Splitter {
	function split(address payable first, address payable second) external payable {
		pay(first, msg.value / 2);
		pay(second, msg.value / 2);
	}

	function pay(address payable to, uint256 amount) private {
		(bool isPaid, ) = to.call{value: amount}("");
		require(isPaid, "not paid");
	}
}

/// As much of an NFT collection as the examples need.
contract Pieces {
	event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

	string public constant name = "Demo Pieces";
	string public constant symbol = "PIECE";
	uint256 public made;
	mapping(address => uint256) public balanceOf;
	mapping(uint256 => address) public ownerOf;
	mapping(uint256 => string) private uris;

	function supportsInterface(bytes4 id) external pure returns (bool) {
		return id == 0x01ffc9a7 || id == 0x80ac58cd;
	}

	function tokenURI(uint256 tokenId) external view returns (string memory) {
		require(ownerOf[tokenId] != address(0), "no such piece");
		if (bytes(uris[tokenId]).length > 0) return uris[tokenId];
		return 'data:application/json,{"name":"A Demo Piece"}';
	}

	function mint(address to, string calldata uri) external {
		uris[made + 1] = uri;
		mint(to);
	}

	function mint(address to) public {
		balanceOf[to]++;
		ownerOf[++made] = to;
		emit Transfer(address(0), to, made);
	}
}

/// A price feed with one round.
contract Feed {
	string public constant description = "COIN / USD";
	uint8 public constant decimals = 8;
	int256 private constant PRICE = 2500_50000000;
	uint256 private immutable since = block.timestamp;

	function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
		return (1, PRICE, since, since, 1);
	}
}

/// Where names are looked up: knows the resolver of each, by its node.
contract Registry {
	mapping(bytes32 => address) public resolver;

	function setResolver(bytes32 node, address to) external {
		resolver[node] = to;
	}
}

/// A resolver that knows addresses.
contract Resolver {
	mapping(bytes32 => address) public addr;

	function setAddr(bytes32 node, address to) external {
		addr[node] = to;
	}
}
