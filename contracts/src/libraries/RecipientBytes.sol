// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ShieldCiphertext} from "../interfaces/external/IPrivacyPool.sol";
import {Delivery, Refusal} from "../types/Order.sol";

/// @notice Reads the recipient of an order
/// @dev Type 0 is an address, 20 bytes. Type 2 is all a privacy pool needs to make a note besides its token and
/// value, 160 bytes, big-endian, no padding:
///
///     offset  size  field
///          0    32  public key of the note
///         32    96  encrypted bundle, three words
///        128    32  shield key
library RecipientBytes {
    uint8 internal constant TO_ADDRESS = 0;
    uint8 internal constant TO_NOTE = 2;

    uint256 internal constant ADDRESS_LENGTH = 20;
    uint256 internal constant NOTE_LENGTH = 160;

    /// @notice Order of the scalar field of BN254: a note's key at or above it is refused by the privacy pool
    uint256 internal constant SNARK_SCALAR_FIELD =
        21888242871839275222246405745257275088548364400416034343698204186575808495617;

    /// @notice What is wrong with a recipient, for a destination that `payer` pays by `delivery`
    function problem(Delivery delivery, uint8 kind, bytes memory recipient, address payer)
        internal
        pure
        returns (Refusal)
    {
        if (delivery == Delivery.None) return Refusal.Destination;
        return
            delivery == Delivery.Note ? noteProblem(kind, recipient) : addressProblem(kind, recipient, payer);
    }

    /// @notice Whether a recipient is the zero address, which stands for the sender
    function isZero(uint8 kind, bytes memory recipient) internal pure returns (bool) {
        return kind == TO_ADDRESS && recipient.length == ADDRESS_LENGTH && toAddress(recipient) == address(0);
    }

    /// @notice The account that a type 0 recipient names
    function toAddress(bytes memory recipient) internal pure returns (address) {
        return address(bytes20(recipient));
    }

    /// @notice The note that a type 2 recipient describes
    function toNote(bytes memory recipient)
        internal
        pure
        returns (bytes32 publicKey, ShieldCiphertext memory ciphertext)
    {
        (publicKey, ciphertext.encryptedBundle, ciphertext.shieldKey) =
            abi.decode(recipient, (bytes32, bytes32[3], bytes32));
    }

    function addressProblem(uint8 kind, bytes memory recipient, address payer)
        private
        pure
        returns (Refusal)
    {
        if (kind != TO_ADDRESS) return Refusal.RecipientType;
        if (recipient.length != ADDRESS_LENGTH) return Refusal.RecipientLength;
        address account = toAddress(recipient);
        if (account == address(0)) return Refusal.RecipientZero;
        return account == payer ? Refusal.RecipientPool : Refusal.None;
    }

    function noteProblem(uint8 kind, bytes memory recipient) private pure returns (Refusal) {
        if (kind != TO_NOTE) return Refusal.RecipientType;
        if (recipient.length != NOTE_LENGTH) return Refusal.RecipientLength;
        (bytes32 publicKey,) = toNote(recipient);
        if (publicKey == 0) return Refusal.RecipientZero;
        if (uint256(publicKey) >= SNARK_SCALAR_FIELD) return Refusal.NoteKey;
        return Refusal.None;
    }
}
