// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice A deposit that is owed a payment elsewhere
/// @dev A *place* is what a client calls a chain: the ID of a network, or a virtual ID that stands for the privacy
/// pool on one. The source writes every field: who pays, at which rate and from how many decimals are part of what
/// the depositor was promised, so nothing that is set later lets the protocol take more. The partner's rate is not
/// among them. It is that of the registry when the order is paid, where it only falls; but an ID that was unknown when
/// the order was opened may be registered before it is paid, with a rate of up to 1 %.
struct Order {
    uint256 srcPlace; // where the deposit was made
    address srcPool; // the contract that took it
    address refundTo; // who gets the deposit back; an account on the source network, for burns on the one burned on
    uint256 nonce; // at a pool a hash of the caller and its count, at the receiver the issuer's message nonce
    uint8 srcDecimals; // of the token deposited
    uint256 amount; // in the source token's smallest units, before fees
    uint256 dstPlace; // where it is owed
    address dstPool; // the only contract that may pay it; zero when none may
    address dstToken; // the token owed, as it is called there
    uint32 rate; // the most that the protocol takes, in millionths
    bytes32 integratorId; // the partner that brought the order, zero for none
    uint8 recipientType; // how to read the recipient: 0 an address, 2 a note for a privacy pool
    bytes recipient; // 20 bytes, or 160
    uint48 deadline; // paid before this time or not at all; not part of the ID
}

/// @notice How a destination is paid
enum Delivery {
    None, // not served
    Address, // to an account
    Note // into a privacy pool
}

/// @notice Whether a link to another contract is in use
enum Link {
    None, // not known, or for a destination a draft: what was written may still change freely
    Open,
    Closed // not in use, but written for good; a destination was open once, so what was promised through it binds
}

/// @notice Why an order was not accepted
enum Refusal {
    None, // it was
    Source, // the burn comes from a network that is not served, or from no address
    Hook, // the hook data is not an instruction
    Destination, // this token cannot be delivered to that place from here
    RecipientType, // the destination is paid in another way
    RecipientLength, // the recipient has not the length of its type
    RecipientZero, // it is the zero address, and the sender's address is not known to be its own elsewhere
    NoteKey, // no note with this public key can be spent
    AmountTooLow, // below the limit
    AmountTooHigh, // above the limit
    RecipientPool, // the recipient is the contract that pays
    RefundTo, // a refund to this account would be lost
    Closed // the destination takes no new orders
}

using OrderLibrary for Order global;

library OrderLibrary {
    /// @notice The order's identity: the hash of all it says but its deadline
    /// @dev The deadline comes from the block that opened the order. Left out, the same deposit has the same ID in
    /// whichever block it is mined, so a payment made before a reorganisation still counts after it.
    function id(Order memory self) internal pure returns (bytes32 hash) {
        uint48 deadline = self.deadline;
        self.deadline = 0;
        hash = keccak256(abi.encode(self));
        self.deadline = deadline;
    }
}
