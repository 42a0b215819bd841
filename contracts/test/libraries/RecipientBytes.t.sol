// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ShieldCiphertext} from "../../src/interfaces/external/IPrivacyPool.sol";
import {RecipientBytes} from "../../src/libraries/RecipientBytes.sol";
import {Delivery, Refusal} from "../../src/types/Order.sol";
import {Test} from "../support/Test.sol";

contract RecipientBytesTest is Test {
    bytes32 private constant FIELD = bytes32(RecipientBytes.SNARK_SCALAR_FIELD);

    function test_problem_address() public pure {
        bytes memory someone = abi.encodePacked(address(7));
        check(Delivery.Address, 0, someone, Refusal.None);
        check(Delivery.Address, 2, someone, Refusal.RecipientType);
        check(Delivery.Address, 0, abi.encodePacked(address(0)), Refusal.RecipientZero);
        check(Delivery.Address, 0, abi.encode(address(7)), Refusal.RecipientLength);
        check(Delivery.None, 0, someone, Refusal.Destination);
    }

    function test_problem_note() public pure {
        bytes memory rest = new bytes(128);
        check(Delivery.Note, 2, bytes.concat(bytes32(uint256(1)), rest), Refusal.None);
        check(Delivery.Note, 0, bytes.concat(bytes32(uint256(1)), rest), Refusal.RecipientType);
        check(Delivery.Note, 2, bytes.concat(bytes32(0), rest), Refusal.RecipientZero);
        check(Delivery.Note, 2, bytes.concat(bytes32(uint256(FIELD) - 1), rest), Refusal.None);
        check(Delivery.Note, 2, bytes.concat(FIELD, rest), Refusal.NoteKey);
        check(Delivery.Note, 2, bytes.concat(bytes32(uint256(1)), rest, hex"00"), Refusal.RecipientLength);
    }

    function test_fuzz_problem_onlyTwoShapesPass(uint8 delivery, uint8 kind, bytes memory recipient)
        public
        pure
    {
        Delivery how = Delivery(delivery % 3);
        if (RecipientBytes.problem(how, kind, recipient) != Refusal.None) return;
        bool isAddress = how == Delivery.Address && kind == 0 && recipient.length == 20;
        bool isNote = how == Delivery.Note && kind == 2 && recipient.length == 160;
        vm.assertTrue(isAddress || isNote, "an address or a note");
    }

    function test_fuzz_toAddress(address someone) public pure {
        vm.assertEq(RecipientBytes.toAddress(abi.encodePacked(someone)), someone, "what was packed");
    }

    function test_fuzz_toNote(bytes32 key, bytes32[3] calldata bundle, bytes32 shieldKey) public pure {
        bytes memory packed = abi.encodePacked(key, bundle[0], bundle[1], bundle[2], shieldKey);
        (bytes32 gotKey, ShieldCiphertext memory got) = RecipientBytes.toNote(packed);
        vm.assertEq(gotKey, key, "public key");
        vm.assertEq(got.encryptedBundle[0], bundle[0], "bundle 0");
        vm.assertEq(got.encryptedBundle[1], bundle[1], "bundle 1");
        vm.assertEq(got.encryptedBundle[2], bundle[2], "bundle 2");
        vm.assertEq(got.shieldKey, shieldKey, "shield key");
    }

    function test_fuzz_orSender(address someone, address sender) public pure {
        address want = someone == address(0) ? sender : someone;
        bytes memory got = RecipientBytes.orSender(0, abi.encodePacked(someone), sender);
        vm.assertEq(got, abi.encodePacked(want), "the zero address is the sender");
    }

    function test_orSender_onlyForAddresses() public pure {
        vm.assertEq(
            RecipientBytes.orSender(2, new bytes(160), address(7)), new bytes(160), "a note has no sender"
        );
        vm.assertEq(
            RecipientBytes.orSender(0, new bytes(21), address(7)), new bytes(21), "this is no address"
        );
    }

    function check(Delivery how, uint8 kind, bytes memory recipient, Refusal want) private pure {
        vm.assertEq(uint256(RecipientBytes.problem(how, kind, recipient)), uint256(want), "refusal");
    }
}
