// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice One admin, who hands its role over in two steps
interface ITwoStepAdmin {
    /// @notice Emitted when the admin offers its role to `to`, or withdraws an offer with zero
    event AdminOffered(address indexed to);

    /// @notice Thrown when the zero address is given where an account is needed
    error ZeroAddress();
    /// @notice Thrown when an account accepts what was not offered to it
    error NotOffered(address account);
    /// @notice Thrown when the admin's role would be given up without a successor
    error AdminCannotRenounce();

    /// @notice Who sets what may be set; in a real deployment a timelock, whose delay is the only one there is
    function admin() external view returns (address);

    /// @notice To whom the role is offered, zero for no offer
    function pendingAdmin() external view returns (address);

    /// @notice Offers the admin's role; for the admin
    /// @dev Nothing changes until `to` accepts, so a mistyped address costs nothing.
    function offerAdmin(address to) external;

    /// @notice Takes the admin's role over; for whom it is offered to
    function acceptAdmin() external;
}
