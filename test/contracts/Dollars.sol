// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface ISigned {
	function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4);
}

/// A stablecoin that takes payments by signature (EIP-3009). What it is signed as, its heirs say.
abstract contract Authorized {
	event Transfer(address indexed from, address indexed to, uint256 value);
	event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
	event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

	string public constant symbol = "DUSD";
	uint8 public constant decimals = 6;
	uint256 public constant totalSupply = 1000000e6;
	mapping(address => uint256) public balanceOf;
	mapping(address => mapping(bytes32 => bool)) public authorizationState;

	bytes32 internal constant DOMAIN_KIND =
		keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
	bytes32 private constant TRANSFER_KIND =
		keccak256(
			"TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
		);
	bytes32 private constant RECEIVE_KIND =
		keccak256(
			"ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
		);
	bytes32 private constant CANCEL_KIND = keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");

	struct Move {
		address from;
		address to;
		uint256 value;
		uint256 validAfter;
		uint256 validBefore;
		bytes32 nonce;
	}

	constructor() {
		balanceOf[msg.sender] = totalSupply;
	}

	function DOMAIN_SEPARATOR() public view virtual returns (bytes32);

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
		Move memory one = Move(from, to, value, validAfter, validBefore, nonce);
		carryOut(TRANSFER_KIND, one, abi.encodePacked(r, s, v));
	}

	function receiveWithAuthorization(
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
		require(to == msg.sender, "caller must be the payee");
		Move memory one = Move(from, to, value, validAfter, validBefore, nonce);
		carryOut(RECEIVE_KIND, one, abi.encodePacked(r, s, v));
	}

	function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
		require(!authorizationState[authorizer][nonce], "authorization is used or canceled");
		bytes32 content = keccak256(abi.encode(CANCEL_KIND, authorizer, nonce));
		checkSignature(authorizer, content, abi.encodePacked(r, s, v));
		authorizationState[authorizer][nonce] = true;
		emit AuthorizationCanceled(authorizer, nonce);
	}

	function carryOut(bytes32 kind, Move memory one, bytes memory signature) internal {
		require(block.timestamp > one.validAfter, "authorization is not yet valid");
		require(block.timestamp < one.validBefore, "authorization is expired");
		require(!authorizationState[one.from][one.nonce], "authorization is used or canceled");
		checkSignature(one.from, keccak256(abi.encode(kind, one)), signature);
		authorizationState[one.from][one.nonce] = true;
		emit AuthorizationUsed(one.from, one.nonce);
		move(one.from, one.to, one.value);
	}

	function carryOutTransfer(Move memory one, bytes memory signature) internal {
		carryOut(TRANSFER_KIND, one, signature);
	}

	function checkSignature(address signer, bytes32 content, bytes memory signature) private view {
		bytes32 digest = keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), content));
		if (signer.code.length > 0) {
			bytes4 answer = ISigned(signer).isValidSignature(digest, signature);
			require(answer == ISigned.isValidSignature.selector, "invalid signature");
			return;
		}
		require(signature.length == 65, "invalid signature length");
		(bytes32 r, bytes32 s, uint8 v) = split(signature);
		require(uint256(s) <= 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0, "invalid s");
		address found = ecrecover(digest, v, r, s);
		require(found != address(0) && found == signer, "invalid signature");
	}

	function split(bytes memory signature) private pure returns (bytes32 r, bytes32 s, uint8 v) {
		assembly {
			r := mload(add(signature, 0x20))
			s := mload(add(signature, 0x40))
			v := byte(0, mload(add(signature, 0x60)))
		}
	}

	function hashDomain(string memory own, string memory ownVersion) internal view returns (bytes32) {
		return hashDomainOn(block.chainid, own, ownVersion);
	}

	function hashDomainOn(
		uint256 chain,
		string memory own,
		string memory ownVersion
	) internal view returns (bytes32) {
		return
			keccak256(
				abi.encode(DOMAIN_KIND, keccak256(bytes(own)), keccak256(bytes(ownVersion)), chain, address(this))
			);
	}

	function move(address from, address to, uint256 value) private {
		require(balanceOf[from] >= value, "transfer amount exceeds balance");
		balanceOf[from] -= value;
		balanceOf[to] += value;
		emit Transfer(from, to, value);
	}
}

/// As the largest one: name() and version(), and signatures of contracts.
contract Dollar is Authorized {
	string public constant name = "Test Dollar";
	string public constant version = "2";

	function DOMAIN_SEPARATOR() public view override returns (bytes32) {
		return hashDomain(name, version);
	}

	function transferWithAuthorization(
		address from,
		address to,
		uint256 value,
		uint256 validAfter,
		uint256 validBefore,
		bytes32 nonce,
		bytes memory signature
	) external {
		carryOutTransfer(Move(from, to, value, validAfter, validBefore, nonce), signature);
	}
}

/// Its version is 1 and stands nowhere.
contract UnversionedDollar is Authorized {
	string public constant name = "Unversioned Dollar";

	function DOMAIN_SEPARATOR() public view override returns (bytes32) {
		return hashDomain(name, "1");
	}
}

/// What it is signed as, eip712Domain() alone says (EIP-5267).
contract RenamedDollar is Authorized {
	string public constant name = "Renamed Dollar";
	string public constant version = "9";

	function DOMAIN_SEPARATOR() public view override returns (bytes32) {
		return hashDomain("Once Dollar", "3");
	}

	function eip712Domain()
		external
		view
		returns (bytes1, string memory, string memory, uint256, address, bytes32, uint256[] memory)
	{
		return (hex"0f", "Once Dollar", "3", block.chainid, address(this), bytes32(0), new uint256[](0));
	}
}

/// Nothing that it says of itself hashes to its domain.
contract StrangeDollar is Authorized {
	string public constant name = "Strange Dollar";
	string public constant version = "1";

	function DOMAIN_SEPARATOR() public view override returns (bytes32) {
		return hashDomain("Something Else", version);
	}
}

/// It is on another chain than it seems, which has a name in version 1 of x402.
contract NamedChainDollar is Authorized {
	string public constant name = "Test Dollar";
	string public constant version = "2";

	function DOMAIN_SEPARATOR() public view override returns (bytes32) {
		return hashDomainOn(84532, name, version);
	}
}
