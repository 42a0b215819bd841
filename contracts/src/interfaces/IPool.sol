// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Fees} from "../libraries/FeeMath.sol";
import {Currency} from "../types/Currency.sol";
import {Order} from "../types/Order.sol";
import {IIntegratorRegistry} from "./IIntegratorRegistry.sol";
import {Limits, Roles} from "./ILedger.sol";

/// @notice What a pool is; its address is a function of this
struct PoolConfig {
    uint256 place; // the route source it serves: a chain ID, or a virtual ID
    Currency token; // what it takes and pays
    uint8 decimals; // of the token; checked against the token
    IIntegratorRegistry registry; // the partners on this network
    Roles roles;
    Limits limits;
}

/// @notice A contract whose orders a pool pays
struct Source {
    bool known;
    uint8 decimals; // of the token deposited there
    uint32 rate; // the protocol's fee on its orders, in millionths
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
    /// @param paid false when the recipient could not take the money and has to claim it
    event OrderFulfilled(
        bytes32 indexed id,
        bytes32 indexed integratorId,
        uint256 received,
        uint256 protocolFee,
        uint256 integratorFee,
        bool paid
    );
    /// @notice Emitted when it is certain that an order will not be paid here
    event OrderCancelled(bytes32 indexed id);
    /// @notice Emitted when a source is added, changed or removed
    event SourceSet(uint256 indexed place, address indexed pool, Source source);
    /// @notice Emitted when somebody adds liquidity
    event Funded(address indexed from, uint256 amount);
    /// @notice Emitted when the admin takes liquidity out
    event Withdrawn(address indexed to, uint256 amount);

    /// @notice Thrown when a pool for one network is deployed on another
    error WrongPlace(uint256 place, uint256 chainId);
    /// @notice Thrown when the token has other decimals than the configuration says
    error WrongDecimals(uint8 configured, uint8 actual);
    /// @notice Thrown when a token would have more decimals than any listed one
    error TooManyDecimals(uint8 decimals);
    /// @notice Thrown when a protocol fee is above what it may be
    error RateTooHigh(uint32 rate, uint32 max);
    /// @notice Thrown when an order comes from a contract whose orders are not paid here
    error UnknownSource(uint256 place, address pool);
    /// @notice Thrown when an order was paid or cancelled before
    error AlreadySettled(bytes32 id, Settlement settlement);
    /// @notice Thrown when an order is worth more than one payment may be
    error OrderTooLarge(uint256 gross, uint256 max);
    /// @notice Thrown when nothing is left of an order
    error NothingToPay(bytes32 id);

    /// @notice Takes a deposit and opens an order
    /// @param dstChain where it is owed: a chain ID, or a virtual ID
    /// @param amount in the token's smallest units
    /// @param recipient 20 bytes for type 0, 160 for type 2; the zero address means the sender, except where the
    /// sender may be a contract that everybody shares
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

    /// @notice Pays an order, once; for the relayer
    /// @dev The contract cannot see the deposit. That it was made, and is final, is the relayer's word; what a
    /// liar can take is bounded by the limits.
    function fulfil(Order calldata order) external;

    /// @notice Makes sure that an order is never paid here, so that its deposit may be refunded; for the relayer
    function cancel(Order calldata order) external;

    /// @notice Adds liquidity; anyone may
    function fund(uint256 amount) external payable;

    /// @notice Takes liquidity out, the fees earned among it, but nothing that is owed; for the admin
    function withdraw(address to, uint256 amount) external;

    /// @notice Adds, changes or removes a contract whose orders are paid here; for the admin
    function setSource(uint256 place, address pool, Source calldata source) external;

    /// @notice What `order` would pay now, and to whom its partner's fee would go
    function quote(Order calldata order) external view returns (Fees memory fees, address integrator);

    /// @notice What became of an order here
    function settlements(bytes32 id) external view returns (Settlement);

    /// @notice The contracts whose orders are paid here
    function sources(uint256 place, address pool)
        external
        view
        returns (bool known, uint8 decimals, uint32 rate);

    /// @notice The most that the protocol may take, in millionths
    function MAX_RATE() external view returns (uint32);

    /// @notice The route source that the pool serves
    function place() external view returns (uint256);

    /// @notice The decimals of its token
    function decimals() external view returns (uint8);

    /// @notice The partners on this network
    function registry() external view returns (IIntegratorRegistry);
}
