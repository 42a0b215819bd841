// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {ILedger, Limits, Roles} from "../interfaces/ILedger.sol";
import {RollingCap} from "../libraries/RollingCap.sol";
import {Currency} from "../types/Currency.sol";

/// @title Ledger
/// @notice Holds one currency, pays it out, and owes what it could not pay
/// @dev What is owed is set apart: `owed` never exceeds the balance. A payment that a recipient cannot take becomes
/// a claim, so that no recipient can hold up another.
abstract contract Ledger is ILedger, AccessControl, Pausable, ReentrancyGuard {
    using RollingCap for RollingCap.Bucket;

    /// @notice The role of who says what happened on other networks
    bytes32 public constant RELAYER_ROLE = keccak256("RELAYER_ROLE");
    /// @notice The role of who stops deposits and payments
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");

    /// @notice The stretch of time that the daily limit speaks of
    uint256 private constant WINDOW = 1 days;

    /// @inheritdoc ILedger
    Currency public immutable token;

    /// @inheritdoc ILedger
    mapping(address account => uint256) public claims;
    /// @inheritdoc ILedger
    uint256 public owed;
    /// @inheritdoc ILedger
    Limits public limits;

    RollingCap.Bucket private spent;

    constructor(Currency token_, Roles memory roles, Limits memory limits_) {
        if (!token_.isNative()) _requireContract(Currency.unwrap(token_));
        token = token_;
        _grantRole(DEFAULT_ADMIN_ROLE, _nonZero(roles.admin));
        _grantRole(RELAYER_ROLE, _nonZero(roles.relayer));
        _grantRole(PAUSER_ROLE, _nonZero(roles.pauser));
        _setLimits(limits_);
    }

    /// @inheritdoc ILedger
    function liquidity() public view returns (uint256) {
        return token.balance() - owed;
    }

    /// @inheritdoc ILedger
    function spendable() external view returns (uint256) {
        return spent.spendable(limits.daily, WINDOW);
    }

    /// @inheritdoc ILedger
    function claim(address to) external nonReentrant {
        _nonZero(to);
        uint256 amount = claims[msg.sender];
        if (amount == 0) revert NothingToClaim(msg.sender);
        claims[msg.sender] = 0;
        owed -= amount;
        emit Claimed(msg.sender, to, amount);
        token.send(to, amount);
    }

    /// @inheritdoc ILedger
    function setLimits(Limits calldata limits_) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _setLimits(limits_);
    }

    /// @inheritdoc ILedger
    function pause() external onlyRole(PAUSER_ROLE) {
        _pause();
    }

    /// @inheritdoc ILedger
    function unpause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        _unpause();
    }

    /// @dev Counts a payment of `amount` against the daily limit and against what is here; call it before paying.
    function _spend(uint256 amount) internal {
        _requireLiquid(amount);
        spent.spend(limits.daily, WINDOW, amount);
    }

    /// @dev Pays `to`, or owes it; tells which.
    function _pay(address to, uint256 amount) internal returns (bool paid) {
        if (amount == 0) return true;
        paid = token.trySend(to, amount);
        if (!paid) _credit(to, amount);
    }

    function _credit(address account, uint256 amount) internal {
        claims[account] += amount;
        owed += amount;
        emit Credited(account, amount);
    }

    function _requireLiquid(uint256 amount) internal view {
        uint256 liquid = liquidity();
        if (amount > liquid) revert Illiquid(amount, liquid);
    }

    function _nonZero(address account) internal pure returns (address) {
        if (account == address(0)) revert ZeroAddress();
        return account;
    }

    function _requireContract(address account) internal view {
        if (account.code.length == 0) revert NotAContract(account);
    }

    /// @dev Half the daily limit can leave at once (see RollingCap), so one order must fit in that half.
    function _setLimits(Limits memory limits_) private {
        if (limits_.min == 0 || limits_.min > limits_.max || limits_.max > limits_.daily / 2) {
            revert BadLimits(limits_);
        }
        limits = limits_;
        emit LimitsSet(limits_);
    }
}
