// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice The part of the issuer's transmitter that delivers messages
interface IMessageTransmitterV2 {
    /// @notice Checks the attestation and hands the message to its recipient, which may be anyone's contract
    /// @dev True means that some recipient was content. It does not mean that money was minted.
    function receiveMessage(bytes calldata message, bytes calldata attestation) external returns (bool);
}
