// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice A deposit that is owed a payment elsewhere
/// @dev A *place* is what a client calls a chain: the ID of a network, or a virtual ID that stands for the privacy
/// pool on one.
struct Order {
    uint256 srcPlace; // where the deposit was made
    address srcPool; // the contract that took it
    uint256 nonce; // that contract's count of orders before this one
    address refundTo; // who gets the deposit back if the order cannot be paid; an account on the source network
    uint256 amount; // in the source token's smallest units, before fees
    uint256 dstPlace; // where it is owed
    address dstToken; // the token owed, as it is called there
    bytes32 integratorId; // the partner that brought the order, zero for none
    uint8 recipientType; // how to read the recipient: 0 an address, 2 a note for a privacy pool
    bytes recipient; // 20 bytes, or 160
}

/// @notice How a destination is paid
enum Delivery {
    None, // not served
    Address, // to an account
    Note // into a privacy pool
}

/// @notice Why an order was not accepted
enum Refusal {
    None, // it was
    Source, // the burn comes from a network that is not served
    Hook, // the hook data is not an instruction
    Destination, // this token cannot be delivered to that place from here
    RecipientType, // the destination is paid in another way
    RecipientLength, // the recipient has not the length of its type
    RecipientZero, // it is nobody
    NoteKey, // no note with this public key can be spent
    AmountTooLow, // below the limit
    AmountTooHigh // above the limit
}

using OrderLibrary for Order global;

library OrderLibrary {
    /// @notice The order's identity: the hash of all it says
    /// @dev Two orders differ at least in where and as what number they were opened, so no two share an ID, and the
    /// ID is the same on both sides.
    function id(Order memory self) internal pure returns (bytes32) {
        return keccak256(abi.encode(self));
    }
}
