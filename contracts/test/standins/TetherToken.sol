// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice A token with the oddities of USDT on chain 1; for tests only
/// @dev Nothing returns a value, and an allowance that is not zero can only be set to zero. Its owner can pause transfers,
/// freeze a sender, and take a fee of each transfer; a failed check reverts without words.
contract TetherToken {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    string public name;
    string public symbol;
    uint8 public decimals;

    uint256 public totalSupply;
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    bool public paused;
    uint256 public basisPointsRate;
    mapping(address account => bool) public isBlackListed;

    function setPaused(bool paused_) external {
        paused = paused_;
    }

    function setBlackListed(address account, bool blackListed) external {
        isBlackListed[account] = blackListed;
    }

    function setParams(uint256 basisPointsRate_) external {
        require(basisPointsRate_ < 20);
        basisPointsRate = basisPointsRate_;
    }

    function init(string calldata name_, string calldata symbol_, uint8 decimals_) external {
        require(bytes(symbol).length == 0, "initialised");
        (name, symbol, decimals) = (name_, symbol_, decimals_);
    }

    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function approve(address spender, uint256 amount) external {
        require(amount == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
    }

    function transfer(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private {
        require(!paused && !isBlackListed[from]);
        uint256 fee = amount * basisPointsRate / 10_000;
        balanceOf[from] -= amount;
        balanceOf[to] += amount - fee;
        balanceOf[address(this)] += fee;
        emit Transfer(from, to, amount - fee);
    }
}
