// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ShieldCiphertext} from "../../src/interfaces/external/IPrivacyPool.sol";
import {RecipientBytes} from "../../src/libraries/RecipientBytes.sol";
import {Delivery, Refusal} from "../../src/types/Order.sol";
import {Test} from "../support/Test.sol";

contract RecipientBytesTest is Test {
    address private constant PAYER = address(9);
    /// @dev The order of BN254's scalar field, as a literal
    bytes32 private constant FIELD = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001;

    function test_problem_address() public pure {
        bytes memory someone = abi.encodePacked(address(7));
        check(Delivery.Address, 0, someone, Refusal.None);
        check(Delivery.Address, 2, someone, Refusal.RecipientType);
        check(Delivery.Address, 0, abi.encodePacked(address(0)), Refusal.RecipientZero);
        check(Delivery.Address, 0, abi.encode(address(7)), Refusal.RecipientLength);
        check(Delivery.None, 0, someone, Refusal.Destination);
        check(Delivery.Address, 0, abi.encodePacked(PAYER), Refusal.RecipientPool);
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

    /// @dev Lengths and types near the good ones, so that a good share of the runs passes.
    function test_fuzz_problem_onlyTwoShapesPass(uint8 delivery, uint8 kind, uint256 length, uint8 fill)
        public
        pure
    {
        Delivery how = Delivery(delivery % 3);
        kind %= 3;
        bytes memory recipient = new bytes(length % 2 == 0 ? 20 : length % 4 == 1 ? 160 : length % 200);
        for (uint256 i = 1; i < recipient.length; ++i) {
            recipient[i] = bytes1(fill);
        }
        bool isAddress = how == Delivery.Address && kind == 0 && recipient.length == 20;
        bool isNote = how == Delivery.Note && kind == 2 && recipient.length == 160;
        bool passes = RecipientBytes.problem(how, kind, recipient, PAYER) == Refusal.None;
        vm.assertEq(passes, fill != 0 && (isAddress || isNote), "an address or a note, not of zeros");
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

    function test_fuzz_isZero(address someone) public pure {
        bool got = RecipientBytes.isZero(0, abi.encodePacked(someone));
        vm.assertEq(got, someone == address(0), "only the zero address");
    }

    function test_isZero_onlyForAddresses() public pure {
        vm.assertTrue(RecipientBytes.isZero(0, new bytes(20)), "the zero address");
        vm.assertFalse(RecipientBytes.isZero(2, new bytes(160)), "a note has no sender");
        vm.assertFalse(RecipientBytes.isZero(0, new bytes(21)), "this is no address");
    }

    function check(Delivery how, uint8 kind, bytes memory recipient, Refusal want) private pure {
        vm.assertEq(uint256(RecipientBytes.problem(how, kind, recipient, PAYER)), uint256(want), "refusal");
    }
}
