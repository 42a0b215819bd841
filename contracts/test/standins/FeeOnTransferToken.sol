// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {MintableToken} from "./MintableToken.sol";

/// @notice A token that burns a hundredth of what is moved; for tests only
contract FeeOnTransferToken is MintableToken {
    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        uint256 fee = amount / 100;
        balanceOf[to] -= fee;
        totalSupply -= fee;
        emit Transfer(to, address(0), fee);
    }
}
