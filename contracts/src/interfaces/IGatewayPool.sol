// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ITokenMessengerV2} from "./external/ITokenMessengerV2.sol";

/// @notice A place that is reached by burning here what is minted there
struct Remote {
    uint32 domain; // the issuer's number for the network; never computed from its chain ID
    address token; // the issuer's token there, zero when the place is not served
}

/// @notice A pool that also pays on the other networks of its token's issuer
interface IGatewayPool {
    /// @notice Emitted when a remote place is added, changed or removed
    event RemoteSet(uint256 indexed place, Remote remote);

    /// @notice Thrown when a place cannot be remote, because it is this one or none
    error NotRemote(uint256 place);
    /// @notice Thrown when a burn took something else than it was told to
    error WrongBurn(uint256 expected, uint256 burned);

    /// @notice The places that are reached by burning
    function remotes(uint256 place) external view returns (uint32 domain, address token);

    /// @notice The issuer's messenger
    function messenger() external view returns (ITokenMessengerV2);

    /// @notice Adds, changes or removes a remote place; for the admin
    function setRemote(uint256 place, Remote calldata remote) external;
}
