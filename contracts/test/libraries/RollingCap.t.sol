// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {RollingCap} from "../../src/libraries/RollingCap.sol";
import {Test} from "../support/Test.sol";

contract RollingCapTest is Test {
    using RollingCap for RollingCap.Bucket;

    uint96 private constant CAP = 1_000;
    uint256 private constant WINDOW = 1 days;

    RollingCap.Bucket private bucket;

    function setUp() public {
        vm.warp(1_800_000_000);
        bucket.cap = CAP;
    }

    function spend(uint256 amount) external {
        bucket.spend(amount);
    }

    function test_spend_halfAtOnce() public {
        this.spend(500);
        vm.expectRevert(abi.encodeWithSelector(RollingCap.CapExceeded.selector, 1, 0));
        this.spend(1);
    }

    function test_spend_drainsEvenly() public {
        this.spend(500);
        vm.warp(block.timestamp + WINDOW / 10);
        vm.assertEq(spendable(), 50, "a tenth of the window frees a tenth of the bucket");
        this.spend(50);
        vm.warp(block.timestamp + WINDOW);
        vm.assertEq(spendable(), 500, "after a window all is free");
    }

    function test_spendable_capLoweredBelowWhatWasSpent() public {
        this.spend(500);
        bucket.cap = CAP / 2;
        vm.assertEq(spendable(), 0, "nothing, rather than an underflow");
    }

    function test_loweringAndRaisingDoesNotEmptyTheBucket() public {
        this.spend(500);
        bucket.cap = 0;
        vm.assertEq(spendable(), 0, "a cap of zero lets nothing out");
        bucket.cap = CAP;
        vm.assertEq(spendable(), 0, "what was spent still counts");
    }

    function test_spend_nothingKeepsALevelAboveALoweredCap() public {
        this.spend(500);
        bucket.cap = CAP / 2;
        this.spend(0);
        vm.assertEq(bucket.level, 500, "the level is not cut to the new cap");
    }

    function spendable() private view returns (uint256) {
        return RollingCap.spendable(bucket.cap, bucket.level, bucket.since);
    }

    /// @dev The law itself: whatever is tried and whenever, the payments that pass never add up to more than the cap
    /// in a window.
    function test_fuzz_spend_neverMoreThanTheCapInAnyWindow(
        uint16[24] calldata amounts,
        uint16[24] calldata pauses
    ) public {
        uint256[24] memory times;
        uint256[24] memory passed;
        uint256 t = block.timestamp;
        for (uint256 i; i < 24; ++i) {
            t += pauses[i]; // up to 18 hours
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
