// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ShieldFee} from "../../src/libraries/ShieldFee.sol";
import {Test} from "../support/Test.sol";

contract ShieldFeeTest is Test {
    function test_valueFor_examples() public pure {
        vm.assertEq(ShieldFee.valueFor(0, 25), 0, "nothing costs nothing");
        vm.assertEq(ShieldFee.valueFor(1, 25), 1, "below 400 there is no fee");
        vm.assertEq(ShieldFee.valueFor(399, 25), 399, "below 400 there is no fee");
        vm.assertEq(ShieldFee.valueFor(400, 25), 401, "401 leaves 400");
        vm.assertEq(ShieldFee.valueFor(9_975, 25), 9_999, "10_000 would leave as much, and cost more");
        vm.assertEq(ShieldFee.valueFor(9_975, 0), 9_975, "without a fee a note costs its worth");
    }

    function test_fuzz_valueFor_reachesEveryWorthAtTheLeastCost(uint120 worth, uint16 bps) public pure {
        bps = bps % 10_000;
        worth = uint120(bound(worth, 1, type(uint120).max));
        uint256 value = ShieldFee.valueFor(worth, bps);
        vm.assertEq(ShieldFee.worthOf(value, bps), worth, "the note is worth what was promised");
        vm.assertEq(ShieldFee.worthOf(value - 1, bps), worth - 1, "one unit less buys less");
    }
}
