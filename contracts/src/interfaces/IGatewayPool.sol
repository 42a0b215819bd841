// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Link} from "../types/Order.sol";
import {ITokenMessengerV2} from "./external/ITokenMessengerV2.sol";

/// @notice A place that is reached by burning here what is minted there
struct Remote {
    uint32 domain; // the issuer's number for the network; never computed from its chain ID
    address token; // the issuer's token there
    Link state;
}

/// @notice A pool that also pays on the other networks of its token's issuer
interface IGatewayPool {
    /// @notice Emitted when a remote place is added, opened or closed
    event RemoteSet(uint256 indexed place, Remote remote);

    /// @notice Thrown when a place cannot be remote in this way: none, this one, or with another domain or token than
    /// was written first
    error BadRemote(uint256 place, Remote remote);

    /// @notice The places that are reached by burning
    function remotes(uint256 place) external view returns (uint32 domain, address token, Link state);

    /// @notice The issuer's messenger
    function messenger() external view returns (ITokenMessengerV2);

    /// @notice Adds, opens or closes a remote place; the guardian may only close it
    /// @dev Domain and token are written once. A wrong one is repaired by a new pool, never here: orders that name
    /// the place may be open. That no two places have one domain is not checked here.
    function setRemote(uint256 place, Remote calldata remote) external;
}
