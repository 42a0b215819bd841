// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";

/// @notice A plain ERC-20 token that anyone may mint; for tests only
/// @dev Like every stand-in it keeps all it knows in storage and is told it by `init`, so that its runtime code can be
/// placed at the original's address.
contract MintableToken is IERC20Metadata {
    string public name;
    string public symbol;
    uint8 public decimals;

    uint256 public totalSupply;
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    function init(string calldata name_, string calldata symbol_, uint8 decimals_) external {
        require(bytes(symbol).length == 0, "initialised");
        (name, symbol, decimals) = (name_, symbol_, decimals_);
    }

    function mint(address to, uint256 amount) external virtual returns (bool) {
        _allow(msg.sender, to);
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
        return true;
    }

    function burn(uint256 amount) external {
        _allow(msg.sender, msg.sender);
        require(balanceOf[msg.sender] >= amount, "burn amount exceeds balance");
        totalSupply -= amount;
        balanceOf[msg.sender] -= amount;
        emit Transfer(msg.sender, address(0), amount);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        _allow(msg.sender, spender);
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        require(allowance[from][msg.sender] >= amount, "transfer amount exceeds allowance");
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    /// @dev Whether the token does anything for these two accounts; this one always does.
    function _allow(address, address) internal view virtual {}

    function _move(address from, address to, uint256 amount) internal virtual {
        require(to != address(0), "transfer to the zero address");
        require(balanceOf[from] >= amount, "transfer amount exceeds balance");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}
