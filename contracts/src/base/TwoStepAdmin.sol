// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {ITwoStepAdmin} from "../interfaces/ITwoStepAdmin.sol";

/// @title TwoStepAdmin
/// @notice OpenZeppelin's roles with exactly one admin, who hands over in two steps
/// @dev OpenZeppelin's AccessControlDefaultAdminRules does this with a delay of its own and costs two kilobytes of
/// code in every contract. Here the delay is that of a timelock which is the admin; nothing below delays a call.
abstract contract TwoStepAdmin is ITwoStepAdmin, AccessControl {
    /// @dev Held by no account, and administered by itself: it administers the admin's role, so grantRole and
    /// revokeRole cannot move that.
    bytes32 private constant HANDOVER_ONLY = keccak256("HANDOVER_ONLY");

    /// @inheritdoc ITwoStepAdmin
    address public admin;
    /// @inheritdoc ITwoStepAdmin
    address public pendingAdmin;

    constructor(address admin_) {
        _setRoleAdmin(HANDOVER_ONLY, HANDOVER_ONLY);
        _setRoleAdmin(DEFAULT_ADMIN_ROLE, HANDOVER_ONLY);
        _grantRole(DEFAULT_ADMIN_ROLE, _nonZero(admin_));
        admin = admin_;
    }

    /// @inheritdoc ITwoStepAdmin
    function offerAdmin(address to) external onlyRole(DEFAULT_ADMIN_ROLE) {
        pendingAdmin = to;
        emit AdminOffered(to);
    }

    /// @inheritdoc ITwoStepAdmin
    function acceptAdmin() external {
        if (msg.sender != pendingAdmin) revert NotOffered(msg.sender);
        delete pendingAdmin;
        _revokeRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(DEFAULT_ADMIN_ROLE, msg.sender);
        admin = msg.sender;
    }

    /// @notice Gives up a role of the caller's own, but not the admin's
    function renounceRole(bytes32 role, address account) public override {
        if (role == DEFAULT_ADMIN_ROLE) revert AdminCannotRenounce();
        super.renounceRole(role, account);
    }

    function _nonZero(address account) internal pure returns (address) {
        if (account == address(0)) revert ZeroAddress();
        return account;
    }
}
