// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pool} from "../src/Pool.sol";
import {OrderSource} from "../src/base/OrderSource.sol";
import {MintableToken} from "./standins/MintableToken.sol";
import {Order} from "../src/types/Order.sol";
import {BurnFixture} from "./support/BurnFixture.sol";

/// @notice What the test runner's commands do that only this file needs
interface GasVm {
    function lastCallGas() external view returns (Gas memory);
    function snapshotValue(string calldata name, uint256 value) external;
    function readFile(string calldata path) external view returns (string memory);

    struct Gas {
        uint64 gasLimit;
        uint64 gasTotalUsed;
        uint64 gasMemoryUsed;
        int64 gasRefunded;
        uint64 gasRemaining;
    }
}

/// @notice What each call costs as a transaction of its own, intrinsic gas included
/// @dev Steady state: every slot that an earlier order of the same accounts has written is written. The figures are
/// in snapshots/Gas.json, to the unit, and the runner fails on a difference; the bounds are here.
/// forge-config: default.isolate = true
contract GasTest is BurnFixture {
    GasVm private constant gasVm = GasVm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
}
