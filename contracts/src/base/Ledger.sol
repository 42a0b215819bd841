// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {CapKind, ILedger, Roles, Totals} from "../interfaces/ILedger.sol";
import {RollingCap} from "../libraries/RollingCap.sol";
import {Currency} from "../types/Currency.sol";
import {TwoStepAdmin} from "./TwoStepAdmin.sol";

/// @title Ledger
/// @notice Holds one currency, pays it out, and owes what it could not pay
/// @dev What is owed and what is held for open orders is set apart: only the rest is liquidity.
///
/// At worst, the guardian delays everything and takes nothing: deposits wait for their deadline, and everyone gets
/// back what is theirs by `reclaim` and `claim`, which no pause, cap or setting stops. A relayer that releases an unpaid
/// order ends its reclaim. What the other roles can do is in Pool, OrderSource and Receiver.
///
/// A premise: the token moves what it is told to move. One that keeps a part of a transfer is refused on its way in, and
/// on its way out pays the recipient less than the events say. A token whose owner can switch such a fee on, as
/// Tether's, must not be listed as one that is paid out.
abstract contract Ledger is ILedger, TwoStepAdmin {
    using RollingCap for RollingCap.Bucket;

    /// @notice The role of accounts that say what happened on other networks
    bytes32 public constant RELAYER_ROLE = keccak256("RELAYER_ROLE");
    /// @notice The role of accounts that only tighten
    bytes32 public constant GUARDIAN_ROLE = keccak256("GUARDIAN_ROLE");
    /// @notice The role of accounts that move free liquidity
    bytes32 public constant TREASURER_ROLE = keccak256("TREASURER_ROLE");

    /// @dev Neither is zero: a slot that is cleared and written again in one call costs more.
    uint8 private constant UNLOCKED = 1;
    uint8 private constant LOCKED = 2;

    /// @notice The most decimals that a listed token has
    uint8 internal constant MAX_DECIMALS = 18;

    /// @inheritdoc ILedger
    Currency public immutable token;
    /// @inheritdoc ILedger
    uint8 public immutable decimals;

    /// @inheritdoc ILedger
    Totals public totals;
    /// @inheritdoc ILedger
    uint64 public orders;
    /// @inheritdoc ILedger
    bool public depositsPaused;
    /// @inheritdoc ILedger
    bool public paymentsPaused;
    /// @dev Beside the three above, which nearly every guarded call reads: OpenZeppelin's guard has a slot of its own
    /// and costs an order five thousand gas more.
    uint8 private lock = UNLOCKED;
    /// @inheritdoc ILedger
    mapping(address account => uint256) public claims;
    /// @inheritdoc ILedger
    mapping(CapKind kind => RollingCap.Bucket) public caps;

    /// @dev Only the outermost call may move money.
    modifier nonReentrant() {
        _enter();
        _;
        lock = UNLOCKED;
    }

    modifier onlyRelayer() {
        _requireRelayer();
        _;
    }

    constructor(Currency token_, Roles memory roles) TwoStepAdmin(roles.admin) {
        if (!token_.isNative()) _requireContract(Currency.unwrap(token_));
        token = token_;
        decimals = token_.decimals();
        if (decimals > MAX_DECIMALS) revert TooManyDecimals(decimals);
        _grantRoles(roles);
    }

    /// @inheritdoc ILedger
    function liquidity() public view returns (uint256) {
        uint256 balance = token.balance();
        uint256 bound = uint256(totals.owed) + totals.held;
        return balance > bound ? balance - bound : 0;
    }

    /// @inheritdoc ILedger
    function claim(address to) external nonReentrant {
        _claim(msg.sender, _nonZero(to));
    }

    /// @inheritdoc ILedger
    function claimFor(address account) external nonReentrant {
        _claim(account, account);
    }

    /// @inheritdoc ILedger
    function setPauses(bool deposits, bool payments) external {
        _requireSetter((deposits || !depositsPaused) && (payments || !paymentsPaused));
        (depositsPaused, paymentsPaused) = (deposits, payments);
        emit PausesSet(msg.sender, deposits, payments);
    }

    /// @inheritdoc ILedger
    /// @dev A bucket fuller than the lower cap's would let nothing be released for days, and paid orders be reclaimed.
    /// So it is full then, and no more.
    function setCap(CapKind kind, uint96 cap) external {
        bool releases = kind == CapKind.Releases;
        _requireSetter(cap < caps[kind].cap && !releases);
        if (releases) {
            _requireCap(kind, cap, 2 * _largest());
            if (caps[kind].level > cap / 2) caps[kind].level = cap / 2;
        }
        _setCap(kind, cap);
    }

    /// @inheritdoc ILedger
    function revokeRelayer(address account) external {
        _requireSetter(true);
        _revokeRole(RELAYER_ROLE, account);
    }

    /// @dev The largest deposit that may be held.
    function _largest() internal view virtual returns (uint256);

    /// @dev Lets the admin pass, and the guardian if what it does `tightens`.
    function _requireSetter(bool tightens) internal view {
        if (tightens && hasRole(GUARDIAN_ROLE, msg.sender)) return;
        _checkRole(DEFAULT_ADMIN_ROLE);
    }

    function _requireCap(CapKind kind, uint256 cap, uint256 least) internal pure {
        if (cap < least) revert CapTooLow(kind, cap, least);
    }

    /// @dev Level and time stay: lowering and raising a cap does not empty its bucket. Only that of releases loses what
    /// is above a lower cap's half.
    function _setCap(CapKind kind, uint96 cap) internal {
        caps[kind].cap = cap;
        emit CapSet(kind, cap);
    }

    /// @dev Every cap is given when a contract is made; none has a default.
    function _firstCap(CapKind kind, uint96 cap) internal {
        _requireCap(kind, cap, 1);
        _setCap(kind, cap);
    }

    /// @dev Pays `to`, or owes it; tells which.
    function _pay(address to, uint256 amount, bytes32 id) internal returns (bool paid) {
        if (amount == 0) return true;
        paid = token.trySend(to, amount);
        if (!paid) _credit(to, amount, id);
    }

    function _credit(address account, uint256 amount, bytes32 id) internal {
        claims[account] += amount;
        totals.owed += uint128(amount); // every amount has passed a cap or is a deposit, and those are narrower
        emit Credited(account, id, amount);
    }

    function _requireLiquid(uint256 amount) internal view {
        uint256 liquid = liquidity();
        if (amount > liquid) revert Illiquid(amount, liquid);
    }

    function _enter() private {
        if (lock != UNLOCKED) revert Reentered();
        lock = LOCKED;
    }

    function _requireRelayer() private view {
        _checkRole(RELAYER_ROLE);
    }

    function _requirePayments() internal view {
        if (paymentsPaused) revert PaymentsArePaused();
    }

    function _requireContract(address account) internal view {
        if (account.code.length == 0) revert NotAContract(account);
    }

    function _claim(address account, address to) private {
        uint256 amount = claims[account];
        if (amount == 0) revert NothingToClaim(account);
        delete claims[account];
        totals.owed -= uint128(amount); // no claim is larger than their sum
        emit Claimed(account, to, msg.sender, amount);
        token.send(to, amount);
    }

    function _grantRoles(Roles memory roles) private {
        address[3] memory watchers = [roles.admin, roles.guardian, roles.treasurer];
        for (uint256 i; i < watchers.length; ++i) {
            _requireOther(watchers[i], roles.relayer);
            _requireOther(watchers[i], roles.standby);
        }
        _requireOther(roles.standby, roles.relayer);
        _grantRole(RELAYER_ROLE, _nonZero(roles.relayer));
        _grantRole(RELAYER_ROLE, _nonZero(roles.standby));
        _grantRole(GUARDIAN_ROLE, _nonZero(roles.guardian));
        _grantRole(TREASURER_ROLE, _nonZero(roles.treasurer));
    }

    function _requireOther(address account, address other) private pure {
        if (account == other) revert SameAccount(account);
    }
}
