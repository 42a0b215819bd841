// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {MintableToken} from "./MintableToken.sol";

/// @notice A token whose issuer can freeze accounts, as USDC's can; for tests only
contract BlacklistToken is MintableToken {
    mapping(address account => bool) public isBlacklisted;

    function setBlacklisted(address account, bool blacklisted) external {
        isBlacklisted[account] = blacklisted;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!isBlacklisted[from] && !isBlacklisted[to], "Blacklistable: account is blacklisted");
        super._move(from, to, amount);
    }
}
