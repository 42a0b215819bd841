// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Currency} from "../types/Currency.sol";
import {Link, Order} from "../types/Order.sol";
import {IIntegratorRegistry} from "./IIntegratorRegistry.sol";
import {Roles} from "./ILedger.sol";
import {Limits} from "./IOrderSource.sol";

/// @notice How much may leave in any 24 hours, in the token's smallest units; half of it at once
struct Caps {
    uint96 payments;
    uint96 refunds;
    uint96 releases;
    uint96 treasury;
}

/// @notice What a pool is; its address is a function of this
struct PoolConfig {
    uint256 place; // the route source it serves: a chain ID, or a virtual ID
    Currency token; // what it takes and pays
    uint8 decimals; // of the token; checked against the token
    IIntegratorRegistry registry; // the partners on this network
    Roles roles;
    Limits limits;
    Caps caps;
    uint32 feeBound; // the most that a third party's fee may be, in millionths of the order
}

/// @notice A contract whose orders a pool pays
struct Source {
    Link state;
    uint24 rate; // the most that the protocol takes of its orders, in millionths
    uint96 cap; // what its orders may be paid in any 24 hours, in the paying token
    uint96 level; // see RollingCap
    uint32 since;
}

/// @notice What became of an order at the pool that owes it
enum Settlement {
    None, // nothing yet
    Fulfilled, // paid
    Cancelled // never to be paid
}

/// @notice Takes deposits of one token at one place, and pays that token out there
interface IPool {
    /// @notice Emitted when an order was paid
    /// @param recipient zero when a note was made
    /// @param thirdPartyFee what the privacy pool keeps, or the most that the issuer may keep; borne by the pool. What
    /// the issuer leaves of it goes to the recipient, on top of `received`
    /// @param paid false when the recipient could not take the money and has a claim
    event OrderFulfilled(
        bytes32 indexed id,
        bytes32 indexed integratorId,
        address indexed recipient,
        uint256 srcPlace,
        address srcPool,
        uint256 received,
        uint256 protocolFee,
        uint256 integratorFee,
        uint256 thirdPartyFee,
        bool paid
    );
    /// @notice Emitted when an order of a batch was not paid; a reason to look again, not a verdict
    /// @param why the first four bytes of what paying it reverted with
    event OrderSkipped(bytes32 indexed id, bytes4 why);
    /// @notice Emitted when it is certain that an order will not be paid here
    event OrderCancelled(bytes32 indexed id);
    /// @notice Emitted when a source is added, changed or closed
    event SourceSet(uint256 indexed place, address indexed pool, Link state, uint24 rate, uint96 cap);
    /// @notice Emitted when liquidity is added
    event Funded(address indexed from, uint256 amount);
    /// @notice Emitted when the treasurer takes liquidity out
    event Withdrawn(address indexed to, uint256 amount);
    /// @notice Emitted when the limits of deposits change
    event LimitsSet(Limits limits);
    /// @notice Emitted when the bound of third parties' fees changes
    event FeeBoundSet(uint32 bound);
    /// @notice Emitted when an account is listed for the treasurer, or no longer
    event TreasurySet(address indexed account, bool listed);

    /// @notice Thrown when a pool for one network is deployed on another
    error WrongPlace(uint256 place, uint256 chainId);
    /// @notice Thrown when the token has other decimals than the configuration says
    error WrongDecimals(uint8 configured, uint8 actual);
    /// @notice Thrown when an order is to be paid by another contract
    error WrongPool(address dstPool);
    /// @notice Thrown when an order's time to be paid is over
    error Expired(uint256 deadline);
    /// @notice Thrown when an order comes from a contract whose orders were never paid here
    error UnknownSource(uint256 place, address pool);
    /// @notice Thrown when an order comes from a contract whose orders are not paid now
    error SourceIsClosed(uint256 place, address pool);
    /// @notice Thrown when the state of a source cannot be this
    error BadSource(uint256 place, address pool);
    /// @notice Thrown when an order was paid or cancelled before
    error AlreadySettled(bytes32 id, Settlement settlement);
    /// @notice Thrown when nothing is left of an order
    error NothingToPay(bytes32 id);
    /// @notice Thrown when a third party's fee is above what the pool bears
    error FeeTooHigh(uint256 fee, uint256 bound);
    /// @notice Thrown when the recipient cannot take the payment and the call may not owe it
    error CannotPay(bytes32 id);
    /// @notice Thrown when an account other than the contract itself pays an item of a batch
    error NotSelf(address caller);
    /// @notice Thrown when liquidity would go to an account that is not listed
    error NotListed(address account);

    /// @notice Takes a deposit and opens an order; a refund goes to the caller, at a privacy pool to the recipient
    /// @param dstChain where it is owed: a chain ID, or a virtual ID
    /// @param amount in the token's smallest units
    /// @param recipient 20 bytes for type 0, 160 for type 2; the zero address means the sender, if that has no code
    /// @param recipientType 0 for an address, 2 for a note in a privacy pool
    /// @param dstToken the token owed, as it is called there
    /// @param integratorId the partner that brought the order, zero for none
    function swap(
        uint256 dstChain,
        uint256 amount,
        bytes calldata recipient,
        uint8 recipientType,
        address dstToken,
        bytes32 integratorId
    ) external payable returns (bytes32 id);

    /// @notice The same for a caller that is not its own user: a refund goes to `refundTo`, and the recipient must
    /// be said
    function swapFor(
        uint256 dstChain,
        uint256 amount,
        bytes calldata recipient,
        uint8 recipientType,
        address dstToken,
        bytes32 integratorId,
        address refundTo
    ) external payable returns (bytes32 id);

    /// @notice Pays an order, once; for the relayer
    /// @dev The contract cannot see the deposit. That it was made, and is final, is the relayer's word; what a
    /// liar can take is bounded by the caps. What the source stamped binds: this pool and no other, before the
    /// deadline, at no higher rate.
    /// @param mayOwe whether a recipient that cannot take the money gets a claim; otherwise the call reverts
    function fulfil(Order calldata order, bool mayOwe) external;

    /// @notice Pays orders, each or not at all; for the relayer
    /// @dev An order that cannot be paid is skipped; no recipient is owed. With too little gas for another order the
    /// batch stops instead.
    function fulfilMany(Order[] calldata batch) external;

    /// @notice Pays one order of a batch; for the contract itself
    function fulfilOne(Order calldata order) external;

    /// @notice Makes sure that an order is never paid here, so that its deposit may be refunded; for the relayer
    function cancel(Order calldata order) external;

    /// @notice Adds liquidity; anyone may
    function fund(uint256 amount) external payable;

    /// @notice Takes free liquidity out, the fees earned among it, to a listed account; for the treasurer
    function withdraw(address to, uint256 amount) external;

    /// @notice Adds, changes or closes a contract whose orders are paid here; the guardian may only close it or lower
    /// its cap
    /// @dev A new source needs a cap; one that is known may be given zero, which stops its payments as closing does.
    function setSource(uint256 place, address pool, Link state, uint24 rate, uint96 cap) external;

    /// @notice Changes how large a deposit may be; the guardian may only lower the maximum
    /// @dev A maximum counts for the release cap for ever, also after it was lowered: see `setCap`.
    function setLimits(Limits calldata limits) external;

    /// @notice Changes how much of an order a third party's fee may be; for the admin
    function setFeeBound(uint32 bound) external;

    /// @notice Lists an account for the treasurer, or no longer; the guardian may only unlist
    function setTreasury(address account, bool listed) external;

    /// @notice What became of an order here
    function settlements(bytes32 id) external view returns (Settlement);

    /// @notice The contracts whose orders are paid here
    function sources(uint256 place, address pool)
        external
        view
        returns (Link state, uint24 rate, uint96 cap, uint96 level, uint32 since);

    /// @notice How many orders `sender` opened here whose refund goes to `refundTo`
    function nonces(address sender, address refundTo) external view returns (uint256);

    /// @notice Whether the treasurer may send liquidity to `account`
    function treasury(address account) external view returns (bool);

    /// @notice The most that a third party's fee may be now, in millionths of the order
    function feeBound() external view returns (uint32);

    /// @notice The most that `feeBound` may be
    function MAX_FEE_BOUND() external view returns (uint32);

    /// @notice The route source that the pool serves
    function place() external view returns (uint256);

    /// @notice The partners on this network
    function registry() external view returns (IIntegratorRegistry);
}
