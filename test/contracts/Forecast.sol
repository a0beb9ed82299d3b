// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// A token as those of the libraries: what is spent of an allowance has no event.
contract Plain {
	event Transfer(address indexed from, address indexed to, uint256 value);
	event Approval(address indexed owner, address indexed spender, uint256 value);

	string public symbol = "PLN";
	uint8 public decimals = 6;
	mapping(address => uint256) internal held;
	mapping(address => mapping(address => uint256)) public allowance;

	function mint(address to, uint256 amount) external {
		held[to] += amount;
		emit Transfer(address(0), to, amount);
	}

	function balanceOf(address account) public view virtual returns (uint256) {
		return held[account];
	}

	function approve(address spender, uint256 amount) external returns (bool) {
		allowance[msg.sender][spender] = amount;
		emit Approval(msg.sender, spender, amount);
		return true;
	}

	function transfer(address to, uint256 amount) external returns (bool) {
		move(msg.sender, to, amount);
		return true;
	}

	function transferFrom(address from, address to, uint256 amount) external returns (bool) {
		uint256 allowed = allowance[from][msg.sender];
		require(allowed >= amount, "not allowed");
		if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - amount;
		move(from, to, amount);
		return true;
	}

	function move(address from, address to, uint256 amount) internal virtual {
		held[from] -= amount;
		held[to] += amount;
		emit Transfer(from, to, amount);
	}
}

/// A hundredth of each transfer disappears, and the event does not say so.
contract Taxed is Plain {
	function move(address from, address to, uint256 amount) internal override {
		held[from] -= amount;
		held[to] += amount - amount / 100;
		emit Transfer(from, to, amount);
	}
}

/// Each transfer makes all who hold it richer: balances are shares of a pool that grows.
contract Growing is Plain {
	uint256 public pool = 1000;

	function balanceOf(address account) public view override returns (uint256) {
		return (held[account] * pool) / 1000;
	}

	function grow() external {
		pool += 7;
	}

	function move(address from, address to, uint256 amount) internal override {
		uint256 shares = (amount * 1000) / pool;
		held[from] -= shares;
		held[to] += shares;
		pool += 3;
		emit Transfer(from, to, amount);
	}
}

/// Its events say that much moves; its balances never do.
contract Lying is Plain {
	function move(address from, address to, uint256 amount) internal override {
		emit Transfer(from, to, amount * 1000);
	}
}

/// Coins in the shape of a token, with the two events of the first of its kind.
contract Wrapped is Plain {
	event Deposit(address indexed dst, uint256 wad);
	event Withdrawal(address indexed src, uint256 wad);

	receive() external payable {
		deposit();
	}

	function deposit() public payable {
		held[msg.sender] += msg.value;
		emit Deposit(msg.sender, msg.value);
		noteMint();
	}

	function withdraw(uint256 amount) external {
		held[msg.sender] -= amount;
		emit Withdrawal(msg.sender, amount);
		noteBurn(amount);
		(bool isPaid, ) = msg.sender.call{value: amount}("");
		require(isPaid, "not paid");
	}

	function noteMint() internal virtual {}

	function noteBurn(uint256 amount) internal virtual {}
}

/// The same, with the events of a token besides.
contract DoubleWrapped is Wrapped {
	function noteMint() internal override {
		emit Transfer(address(0), msg.sender, msg.value);
	}

	function noteBurn(uint256 amount) internal override {
		emit Transfer(msg.sender, address(0), amount);
	}
}

/// NFTs of which there is one each.
contract Ones {
	event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
	event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
	event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

	mapping(uint256 => address) private owners;
	mapping(uint256 => address) public getApproved;
	mapping(address => mapping(address => bool)) public isApprovedForAll;

	function ownerOf(uint256 id) external view returns (address) {
		require(owners[id] != address(0), "no such token");
		return owners[id];
	}

	function mint(address to, uint256 id) external {
		require(owners[id] == address(0), "is there already");
		owners[id] = to;
		emit Transfer(address(0), to, id);
	}

	function burn(uint256 id) external {
		transferFrom(owners[id], address(0), id);
	}

	function approve(address to, uint256 id) external {
		require(owners[id] == msg.sender, "not the owner");
		getApproved[id] = to;
		emit Approval(msg.sender, to, id);
	}

	function setApprovalForAll(address operator, bool isAllowed) external {
		isApprovedForAll[msg.sender][operator] = isAllowed;
		emit ApprovalForAll(msg.sender, operator, isAllowed);
	}

	function transferFrom(address from, address to, uint256 id) public {
		require(owners[id] == from && from != address(0), "not the owner");
		bool isAllowed = msg.sender == from ||
			getApproved[id] == msg.sender ||
			isApprovedForAll[from][msg.sender];
		require(isAllowed, "not allowed");
		delete getApproved[id];
		owners[id] = to;
		emit Transfer(from, to, id);
	}
}

/// NFTs of which there are many each.
contract Manys {
	event TransferSingle(
		address indexed operator,
		address indexed from,
		address indexed to,
		uint256 id,
		uint256 value
	);
	event TransferBatch(
		address indexed operator,
		address indexed from,
		address indexed to,
		uint256[] ids,
		uint256[] values
	);
	event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

	error TooFew(uint256 id, uint256 held);

	mapping(address => mapping(uint256 => uint256)) public balanceOf;
	mapping(address => mapping(address => bool)) public isApprovedForAll;

	function mint(address to, uint256 id, uint256 amount) external {
		balanceOf[to][id] += amount;
		emit TransferSingle(msg.sender, address(0), to, id, amount);
	}

	function setApprovalForAll(address operator, bool isAllowed) external {
		isApprovedForAll[msg.sender][operator] = isAllowed;
		emit ApprovalForAll(msg.sender, operator, isAllowed);
	}

	function safeTransferFrom(
		address from,
		address to,
		uint256 id,
		uint256 amount,
		bytes calldata
	) external {
		move(from, to, id, amount);
		emit TransferSingle(msg.sender, from, to, id, amount);
	}

	function safeBatchTransferFrom(
		address from,
		address to,
		uint256[] calldata ids,
		uint256[] calldata amounts,
		bytes calldata
	) external {
		for (uint256 at; at < ids.length; at++) move(from, to, ids[at], amounts[at]);
		emit TransferBatch(msg.sender, from, to, ids, amounts);
	}

	function move(address from, address to, uint256 id, uint256 amount) private {
		require(msg.sender == from || isApprovedForAll[from][msg.sender], "not allowed");
		if (balanceOf[from][id] < amount) revert TooFew(id, balanceOf[from][id]);
		balanceOf[from][id] -= amount;
		balanceOf[to][id] += amount;
	}
}

/// Passes on the coins that it is made with.
contract Passing {
	constructor(address payable to) payable {
		(bool isPaid, ) = to.call{value: msg.value}("");
		require(isPaid, "not paid");
	}
}

/// Ends, and gives its coins to somebody.
contract Ending {
	constructor() payable {}

	function end(address payable to) external {
		selfdestruct(to);
	}
}

/// Does several things, one after another; what may fail is undone alone.
contract Doer {
	struct Step {
		address to;
		uint256 value;
		bytes data;
		bool mayFail;
	}

	error StepFailed(uint256 at);

	receive() external payable {}

	function run(Step[] calldata steps) external payable {
		for (uint256 at; at < steps.length; at++) {
			Step calldata step = steps[at];
			(bool isDone, ) = step.to.call{value: step.value}(step.data);
			if (!isDone && !step.mayFail) revert StepFailed(at);
		}
	}

	function runAndFail(Step[] calldata steps) external payable {
		this.run{value: msg.value}(steps);
		revert("all for nothing");
	}

	function end(address payable to) external payable {
		Ending one = new Ending{value: msg.value}();
		one.end(to);
	}
}

/// Reads many values at once: for each account its coins, and for each call the first word that comes back.
contract Lens {
	struct Look {
		address to;
		bytes data;
	}

	function read(
		address[] calldata accounts,
		Look[] calldata looks
	) external view returns (uint256[] memory coins, uint256[] memory words) {
		coins = new uint256[](accounts.length);
		words = new uint256[](looks.length);
		for (uint256 at; at < accounts.length; at++) coins[at] = accounts[at].balance;
		for (uint256 at; at < looks.length; at++) {
			(bool isDone, bytes memory returned) = looks[at].to.staticcall(looks[at].data);
			if (isDone && returned.length >= 32) words[at] = abi.decode(returned, (uint256));
		}
	}
}
