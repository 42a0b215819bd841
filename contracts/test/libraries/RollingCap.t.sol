// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {RollingCap} from "../../src/libraries/RollingCap.sol";
import {Test} from "../support/Test.sol";

contract RollingCapTest is Test {
    using RollingCap for RollingCap.Bucket;

    uint128 private constant CAP = 1_000;
    uint256 private constant WINDOW = 100;

    RollingCap.Bucket private bucket;

    function setUp() public {
        vm.warp(1_800_000_000);
    }

    function spend(uint256 amount) external {
        bucket.spend(CAP, WINDOW, amount);
    }

    function test_spend_halfAtOnce() public {
        this.spend(500);
        vm.expectRevert(abi.encodeWithSelector(RollingCap.CapExceeded.selector, 1, 0));
        this.spend(1);
    }

    function test_spend_drainsEvenly() public {
        this.spend(500);
        vm.warp(block.timestamp + 10);
        vm.assertEq(bucket.spendable(CAP, WINDOW), 50, "a tenth of the window frees a tenth of the bucket");
        this.spend(50);
        vm.warp(block.timestamp + WINDOW);
        vm.assertEq(bucket.spendable(CAP, WINDOW), 500, "after a window all is free");
    }

    function test_spendable_capLoweredBelowWhatWasSpent() public {
        this.spend(500);
        vm.assertEq(bucket.spendable(CAP / 2, WINDOW), 0, "nothing, rather than an underflow");
    }

    /// @dev The law itself: whatever is tried and whenever, the payments that pass never add up to more than the cap
    /// in a window.
    function test_fuzz_spend_neverMoreThanTheCapInAnyWindow(
        uint16[24] calldata amounts,
        uint8[24] calldata pauses
    ) public {
        uint256[24] memory times;
        uint256[24] memory passed;
        uint256 t = block.timestamp;
        for (uint256 i; i < 24; ++i) {
            t += pauses[i] % 64;
            vm.warp(t);
            times[i] = t;
            try this.spend(amounts[i] % 400) {
                passed[i] = amounts[i] % 400;
            } catch {}
            uint256 sum;
            for (uint256 j = 0; j <= i; ++j) {
                if (times[j] + WINDOW >= t) sum += passed[j];
            }
            vm.assertLe(sum, CAP, "spent in the window that ends now");
        }
    }
}
