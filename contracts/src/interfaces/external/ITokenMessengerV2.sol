// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ITokenMinterV2} from "./ITokenMinterV2.sol";

/// @notice The part of the issuer's messenger that burns
interface ITokenMessengerV2 {
    /// @notice Burns the caller's `amount` of `burnToken` so that it can be minted on another network
    /// @param mintRecipient who gets the money there
    /// @param destinationCaller who alone may deliver the message there, zero for anyone
    /// @param maxFee the most that the issuer may keep
    /// @param minFinalityThreshold 1000 to be attested when confirmed, 2000 when final
    function depositForBurn(
        uint256 amount,
        uint32 destinationDomain,
        bytes32 mintRecipient,
        address burnToken,
        bytes32 destinationCaller,
        uint256 maxFee,
        uint32 minFinalityThreshold
    ) external;

    /// @notice The same, with `hookData` for the contract that delivers the message
    function depositForBurnWithHook(
        uint256 amount,
        uint32 destinationDomain,
        bytes32 mintRecipient,
        address burnToken,
        bytes32 destinationCaller,
        uint256 maxFee,
        uint32 minFinalityThreshold,
        bytes calldata hookData
    ) external;

    /// @notice The least `maxFee` that a burn of `amount` must allow
    /// @dev Not every deployed version has it; see Burns.minFee.
    function getMinFeeAmount(uint256 amount) external view returns (uint256);

    /// @notice The contract that mints and burns for this messenger
    function localMinter() external view returns (ITokenMinterV2);
}
