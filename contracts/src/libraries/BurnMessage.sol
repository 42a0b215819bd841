// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice What the receiver must know of an attested burn
struct Burn {
    uint32 sourceDomain;
    bytes32 nonce; // the issuer's number for the message; it is delivered once
    bytes32 recipient; // the contract that the message is for; not who gets the money
    bytes32 destinationCaller;
    bytes32 burnToken;
    bytes32 mintRecipient;
    uint256 amount;
    bytes32 sender; // who burned, as an account on the source network
    uint256 feeExecuted; // what the issuer kept
}

/// @notice Reads the issuer's message about a burn
/// @dev Big-endian, no padding; version 1 of the header and of the body. Fields marked * are filled in by the
/// attester, so that the attested message differs from the one the burn emitted:
///
///     offset  size  field
///          0     4  header version
///          4     4  source domain
///          8     4  destination domain
///         12    32  nonce *
///         44    32  sender, the messenger on the source network
///         76    32  recipient, the messenger here
///        108    32  destination caller
///        140     4  minimum finality threshold
///        144     4  finality threshold executed *
///        148     4  body version
///        152    32  burn token
///        184    32  mint recipient
///        216    32  amount
///        248    32  message sender, who burned
///        280    32  maximum fee
///        312    32  fee executed *
///        344    32  expiration block *
///        376     n  hook data
library BurnMessage {
    /// @notice Thrown when the message ends before the hook data would begin
    error MessageTooShort(uint256 length);
    /// @notice Thrown when the header or the body has a version with perhaps another layout
    error MessageVersion(uint32 header, uint32 body);

    uint32 private constant VERSION = 1;

    uint256 private constant SOURCE_DOMAIN = 4;
    uint256 private constant NONCE = 12;
    uint256 private constant RECIPIENT = 76;
    uint256 private constant DESTINATION_CALLER = 108;
    uint256 private constant BODY = 148;
    uint256 private constant BURN_TOKEN = 152;
    uint256 private constant MINT_RECIPIENT = 184;
    uint256 private constant AMOUNT = 216;
    uint256 private constant SENDER = 248;
    uint256 private constant FEE_EXECUTED = 312;
    uint256 private constant HOOK_DATA = 376;

    /// @notice The fields of `message`, none of them believed yet
    function read(bytes calldata message) internal pure returns (Burn memory burn) {
        if (message.length < HOOK_DATA) revert MessageTooShort(message.length);
        (uint32 header, uint32 body) = (uint32At(message, 0), uint32At(message, BODY));
        if (header != VERSION || body != VERSION) revert MessageVersion(header, body);
        burn.sourceDomain = uint32At(message, SOURCE_DOMAIN);
        burn.nonce = wordAt(message, NONCE);
        burn.recipient = wordAt(message, RECIPIENT);
        burn.destinationCaller = wordAt(message, DESTINATION_CALLER);
        burn.burnToken = wordAt(message, BURN_TOKEN);
        burn.mintRecipient = wordAt(message, MINT_RECIPIENT);
        burn.amount = uint256(wordAt(message, AMOUNT));
        burn.sender = wordAt(message, SENDER);
        burn.feeExecuted = uint256(wordAt(message, FEE_EXECUTED));
    }

    /// @notice The hook data of a message that `read` accepted
    function hookData(bytes calldata message) internal pure returns (bytes calldata) {
        return message[HOOK_DATA:];
    }

    function uint32At(bytes calldata message, uint256 offset) private pure returns (uint32) {
        return uint32(bytes4(message[offset:offset + 4]));
    }

    function wordAt(bytes calldata message, uint256 offset) private pure returns (bytes32) {
        return bytes32(message[offset:offset + 32]);
    }
}
