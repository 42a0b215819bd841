// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Hook} from "../../src/libraries/HookData.sol";
import {LibraryHarness} from "../standins/LibraryHarness.sol";
import {Test} from "../support/Test.sol";

contract HookDataTest is Test {
    LibraryHarness private harness = new LibraryHarness();

    /// @dev A literal, no two fields equal: chain 369, token 11…, integrator 22…, type 0, recipient 33….
    bytes private constant LITERAL = hex"0000000000000000000000000000000000000000000000000000000000000171"
        hex"1111111111111111111111111111111111111111"
        hex"0000000000000000000000002222222222222222222222222222222222222222" hex"00"
        hex"3333333333333333333333333333333333333333";

    function test_read_literal() public view {
        (bool ok, Hook memory hook) = harness.readHook(LITERAL);
        vm.assertTrue(ok, "reads");
        vm.assertEq(hook.dstPlace, 369, "place");
        vm.assertEq(hook.dstToken, 0x1111111111111111111111111111111111111111, "token");
        vm.assertEq(
            hook.integratorId,
            bytes32(hex"0000000000000000000000002222222222222222222222222222222222222222"),
            "integrator"
        );
        vm.assertEq(hook.recipientType, 0, "type");
        vm.assertEq(hook.recipient, hex"3333333333333333333333333333333333333333", "recipient");
    }

    function test_read_withoutRecipient() public view {
        (bool ok,) = harness.readHook(new bytes(85));
        vm.assertTrue(!ok, "there must be a recipient");
    }

    function test_fuzz_read(uint256 place, address token, bytes32 id, uint8 kind, bytes calldata recipient)
        public
        view
    {
        vm.assume(recipient.length > 0);
        (bool ok, Hook memory hook) = harness.readHook(abi.encodePacked(place, token, id, kind, recipient));
        vm.assertTrue(ok, "reads");
        vm.assertEq(hook.dstPlace, place, "place");
        vm.assertEq(hook.dstToken, token, "token");
        vm.assertEq(hook.integratorId, id, "integrator");
        vm.assertEq(hook.recipientType, kind, "type");
        vm.assertEq(hook.recipient, recipient, "recipient");
    }

    function test_fuzz_read_neverReverts(bytes calldata data) public view {
        (bool ok, Hook memory hook) = harness.readHook(data);
        vm.assertEq(ok, data.length > 85, "long enough is all it takes to be read");
        if (!ok) return;
        bytes memory again = abi.encodePacked(
            hook.dstPlace, hook.dstToken, hook.integratorId, hook.recipientType, hook.recipient
        );
        vm.assertEq(again, data, "the only bytes that say this");
    }
}
