// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice Which partners there are, and what they take
/// @dev A partner's ID is its wallet address, padded with zeros on the left. A signed swap names the partner but not
/// its rate, so a rate may fall but never rise: no order pays more than was quoted.
interface IIntegratorRegistry {
    /// @notice Emitted when a partner is added; it is active
    event Registered(bytes32 indexed id, address wallet, uint32 rate);
    /// @notice Emitted when a partner is switched on or off
    event ActiveSet(bytes32 indexed id, bool active);
    /// @notice Emitted when a partner asks for less
    event RateLowered(bytes32 indexed id, uint32 rate);

    /// @notice Thrown when the partner is in the registry already
    error AlreadyRegistered(bytes32 id);
    /// @notice Thrown when the partner is not in the registry
    error NotRegistered(bytes32 id);
    /// @notice Thrown when a rate is above what it may be
    error RateTooHigh(uint32 rate, uint32 max);

    /// @notice The most that a partner may take, in millionths
    function MAX_RATE() external view returns (uint32);

    /// @notice A partner: where its fee is paid, its rate in millionths, and whether it is paid at all
    /// @dev All zero for an ID that is not registered.
    function integrators(bytes32 id) external view returns (address wallet, uint32 rate, bool active);

    /// @notice Adds a partner and switches it on
    function register(address wallet, uint32 rate) external returns (bytes32 id);

    /// @notice Switches a partner on or off; while it is off its fee stays with the recipient
    function setActive(bytes32 id, bool active) external;

    /// @notice Makes a partner cheaper
    function lowerRate(bytes32 id, uint32 rate) external;
}
