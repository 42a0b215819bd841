// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice The part of the issuer's minter that knows which tokens are the same money
interface ITokenMinterV2 {
    /// @notice The token minted here for `remoteToken` burned on `remoteDomain`, zero for none
    function getLocalToken(uint32 remoteDomain, bytes32 remoteToken) external view returns (address);
}
