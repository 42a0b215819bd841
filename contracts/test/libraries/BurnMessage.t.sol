// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Burn, BurnMessage} from "../../src/libraries/BurnMessage.sol";
import {LibraryHarness} from "../standins/LibraryHarness.sol";
import {Test} from "../support/Test.sol";

contract BurnMessageTest is Test {
    LibraryHarness private harness = new LibraryHarness();

    function message(Burn memory burn, uint32 header, uint32 body, bytes memory hook)
        private
        pure
        returns (bytes memory)
    {
        return bytes.concat(
            abi.encodePacked(header, burn.sourceDomain, uint32(6), burn.nonce, bytes32("messenger there")),
            abi.encodePacked(burn.recipient, burn.destinationCaller, uint32(1000), uint32(2000)),
            abi.encodePacked(body, burn.burnToken, burn.mintRecipient, burn.amount, burn.sender),
            abi.encodePacked(bytes32("max fee"), burn.feeExecuted, bytes32("expiration"), hook)
        );
    }

    function test_read_eachFieldIsWhereTheTableSays() public view {
        bytes memory numbered = new bytes(380);
        for (uint256 i; i < numbered.length; i += 4) {
            (numbered[i + 2], numbered[i + 3]) = (bytes1(uint8(i >> 8)), bytes1(uint8(i)));
        }
        (numbered[3], numbered[151]) = (0x01, 0x01);
        numbered[150] = 0;
        (Burn memory burn, bytes memory hook) = harness.readBurn(numbered);
        vm.assertEq(burn.sourceDomain, 4, "source domain");
        vm.assertEq(uint256(burn.nonce) >> 224, 12, "nonce");
        vm.assertEq(uint256(burn.recipient) >> 224, 76, "recipient");
        vm.assertEq(uint256(burn.destinationCaller) >> 224, 108, "destination caller");
        vm.assertEq(uint256(burn.burnToken) >> 224, 152, "burn token");
        vm.assertEq(uint256(burn.mintRecipient) >> 224, 184, "mint recipient");
        vm.assertEq(burn.amount >> 224, 216, "amount");
        vm.assertEq(uint256(burn.sender) >> 224, 248, "sender");
        vm.assertEq(burn.feeExecuted >> 224, 312, "fee executed");
        vm.assertEq(hook, hex"00000178", "hook data at 376");
    }

    function test_read_otherVersions() public {
        Burn memory burn;
        vm.expectRevert(abi.encodeWithSelector(BurnMessage.MessageVersion.selector, 0, 1));
        harness.readBurn(message(burn, 0, 1, ""));
        vm.expectRevert(abi.encodeWithSelector(BurnMessage.MessageVersion.selector, 1, 2));
        harness.readBurn(message(burn, 1, 2, ""));
    }

    function test_fuzz_read(Burn calldata burn, bytes calldata hook) public view {
        (Burn memory got, bytes memory gotHook) = harness.readBurn(message(burn, 1, 1, hook));
        vm.assertEq(abi.encode(got), abi.encode(burn), "the fields");
        vm.assertEq(gotHook, hook, "the hook data");
    }

    function test_fuzz_read_tooShort(uint256 length) public {
        length = bound(length, 0, 375);
        vm.expectRevert(abi.encodeWithSelector(BurnMessage.MessageTooShort.selector, length));
        harness.readBurn(new bytes(length));
    }
}
