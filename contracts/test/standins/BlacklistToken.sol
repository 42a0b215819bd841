// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {MintableToken} from "./MintableToken.sol";

/// @notice A token whose issuer can freeze accounts and all of it, as USDC's can; for tests only
/// @dev The words and what they stop (transfers, approvals, mints and burns) are the original's.
contract BlacklistToken is MintableToken {
    mapping(address account => bool) public isBlacklisted;
    bool public paused;

    function setBlacklisted(address account, bool blacklisted) external {
        isBlacklisted[account] = blacklisted;
    }

    function setPaused(bool paused_) external {
        paused = paused_;
    }

    function _allow(address from, address to) internal view override {
        require(!paused, "Pausable: paused");
        require(!isBlacklisted[from] && !isBlacklisted[to], "Blacklistable: account is blacklisted");
    }

    function _move(address from, address to, uint256 amount) internal override {
        _allow(from, to);
        require(!isBlacklisted[msg.sender], "Blacklistable: account is blacklisted");
        super._move(from, to, amount);
    }
}
