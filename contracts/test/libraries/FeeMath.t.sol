// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {FeeMath, Fees} from "../../src/libraries/FeeMath.sol";
import {Test} from "../support/Test.sol";

contract FeeMathTest is Test {
    function test_split_inbound() public pure {
        check(FeeMath.split(100e6, 6, 6, 3_000, 0), 100e6, 300_000, 0, 99_700_000);
    }

    function test_split_withIntegrator() public pure {
        check(FeeMath.split(100e6, 6, 6, 5_000, 2_500), 100e6, 500_000, 250_000, 99_250_000);
    }

    function test_split_fromEighteenDecimals() public pure {
        check(FeeMath.split(10e18, 18, 6, 3_000, 0), 10e6, 30_000, 0, 9_970_000);
    }

    function test_split_toEighteenDecimals() public pure {
        check(FeeMath.split(10e6, 6, 18, 5_000, 0), 10e18, 0.05e18, 0, 9.95e18);
    }

    function test_split_oddUnitsStayWithTheRecipient() public pure {
        check(FeeMath.split(333, 6, 6, 3_000, 3_000), 333, 0, 0, 333);
    }

    function test_split_unitsBelowTheDestinationsAreFlooredOnce() public pure {
        check(FeeMath.split(10_000_000_999_999_999_999, 18, 6, 3_000, 0), 10_000_000, 30_000, 0, 9_970_000);
    }

    function test_fuzz_split(uint128 amount, uint8 from, uint8 to, uint32 protocol, uint32 integrator)
        public
        pure
    {
        (from, to) = (from % 19, to % 19);
        (protocol, integrator) = (protocol % 10_001, integrator % 10_001);
        Fees memory fees = FeeMath.split(amount, from, to, protocol, integrator);
        vm.assertLe(
            fees.gross * 10 ** from, uint256(amount) * 10 ** to, "gross is worth no more than the amount"
        );
        vm.assertTrue((fees.gross + 1) * 10 ** from > uint256(amount) * 10 ** to, "and less than a unit less");
        vm.assertEq(fees.received + fees.protocol + fees.integrator, fees.gross, "nothing is lost or made");
        vm.assertLe(fees.protocol * 1e6, fees.gross * protocol, "no more than its rate");
        vm.assertLe(fees.integrator * 1e6, fees.gross * integrator, "no more than its rate");
        vm.assertTrue((fees.protocol + 1) * 1e6 > fees.gross * protocol, "and less than a unit less");
    }

    function test_fuzz_rescale_upAndDownAgain(uint128 amount, uint8 from, uint8 more) public pure {
        (from, more) = (from % 19, more % 19);
        uint256 up = FeeMath.rescale(amount, from, from + more);
        vm.assertEq(FeeMath.rescale(up, from + more, from), amount, "scaling up is undone by scaling down");
    }

    function check(Fees memory got, uint256 gross, uint256 protocol, uint256 integrator, uint256 received)
        private
        pure
    {
        vm.assertEq(got.gross, gross, "gross");
        vm.assertEq(got.protocol, protocol, "protocol");
        vm.assertEq(got.integrator, integrator, "integrator");
        vm.assertEq(got.received, received, "received");
    }
}
