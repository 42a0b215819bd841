// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {FeeMath, Fees} from "../../src/libraries/FeeMath.sol";
import {BurnMessage, Burn} from "../../src/libraries/BurnMessage.sol";
import {Hook, HookData} from "../../src/libraries/HookData.sol";
import {ShieldFee} from "../../src/libraries/ShieldFee.sol";
import {Order} from "../../src/types/Order.sol";

/// @notice The libraries' functions, callable from outside; for tests only
/// @dev With it the Go side is held to what the contracts read and compute.
contract LibraryHarness {
    function readHook(bytes calldata data) external pure returns (bool ok, Hook memory hook) {
        return HookData.read(data);
    }

    function readBurn(bytes calldata message)
        external
        pure
        returns (Burn memory burn, bytes memory hookData)
    {
        return (BurnMessage.read(message), BurnMessage.hookData(message));
    }

    function orderId(Order calldata order) external pure returns (bytes32) {
        return order.id();
    }

    function split(uint256 amount, uint8 from, uint8 to, uint256 protocolRate, uint256 integratorRate)
        external
        pure
        returns (Fees memory)
    {
        return FeeMath.split(amount, from, to, protocolRate, integratorRate);
    }

    function valueFor(uint256 worth, uint256 bps) external pure returns (uint256) {
        return ShieldFee.valueFor(worth, bps);
    }

    function worthOf(uint256 value, uint256 bps) external pure returns (uint256) {
        return ShieldFee.worthOf(value, bps);
    }
}
