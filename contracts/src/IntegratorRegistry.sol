// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {TwoStepAdmin} from "./base/TwoStepAdmin.sol";
import {IIntegratorRegistry} from "./interfaces/IIntegratorRegistry.sol";

/// @title IntegratorRegistry
/// @notice Which partners there are, and what they take
/// @dev One on each network that has pools, shared by all generations of them; it knows nothing of the others. At
/// worst, its admin registers partners that no quote names, and takes a partner's fee away, which then stays with the
/// recipient.
contract IntegratorRegistry is IIntegratorRegistry, TwoStepAdmin {
    struct Integrator {
        address wallet;
        uint32 rate; // in millionths
        bool active;
    }

    /// @inheritdoc IIntegratorRegistry
    uint32 public constant MAX_RATE = 10_000; // 1 %

    /// @inheritdoc IIntegratorRegistry
    mapping(bytes32 id => Integrator) public integrators;

    constructor(address admin_) TwoStepAdmin(admin_) {}

    /// @inheritdoc IIntegratorRegistry
    function register(address wallet, uint32 rate)
        external
        onlyRole(DEFAULT_ADMIN_ROLE)
        returns (bytes32 id)
    {
        _nonZero(wallet);
        if (rate > MAX_RATE) revert RateTooHigh(rate, MAX_RATE);
        id = bytes32(uint256(uint160(wallet)));
        if (integrators[id].wallet != address(0)) revert AlreadyRegistered(id);
        integrators[id] = Integrator({wallet: wallet, rate: rate, active: true});
        emit Registered(id, wallet, rate);
    }

    /// @inheritdoc IIntegratorRegistry
    function setActive(bytes32 id, bool active) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _registered(id).active = active;
        emit ActiveSet(id, active);
    }

    /// @inheritdoc IIntegratorRegistry
    function lowerRate(bytes32 id, uint32 rate) external onlyRole(DEFAULT_ADMIN_ROLE) {
        Integrator storage integrator = _registered(id);
        if (rate > integrator.rate) revert RateTooHigh(rate, integrator.rate);
        integrator.rate = rate;
        emit RateLowered(id, rate);
    }

    function _registered(bytes32 id) private view returns (Integrator storage integrator) {
        integrator = integrators[id];
        if (integrator.wallet == address(0)) revert NotRegistered(id);
    }
}
