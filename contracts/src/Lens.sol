// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IGatewayPool, Remote} from "./interfaces/IGatewayPool.sol";
import {CapKind, ILedger, Totals} from "./interfaces/ILedger.sol";
import {Deposit, Destination, IOrderSource, Limits} from "./interfaces/IOrderSource.sol";
import {IPool, Settlement, Source} from "./interfaces/IPool.sol";
import {IReceiver} from "./interfaces/IReceiver.sol";
import {IShieldPool} from "./interfaces/IShieldPool.sol";
import {ITwoStepAdmin} from "./interfaces/ITwoStepAdmin.sol";
import {IPrivacyPool} from "./interfaces/external/IPrivacyPool.sol";
import {FeeMath, Fees} from "./libraries/FeeMath.sol";
import {RecipientBytes} from "./libraries/RecipientBytes.sol";
import {RollingCap} from "./libraries/RollingCap.sol";
import {Currency} from "./types/Currency.sol";
import {Link, Order, Refusal} from "./types/Order.sol";

/// @notice Which functions a contract has
enum Kind {
    Pool,
    GatewayPool,
    ShieldPool,
    Receiver
}

/// @notice A destination (place and token) or a source (place and pool)
struct Key {
    uint256 place;
    address account;
}

/// @notice A role that an account may hold
struct RoleKey {
    bytes32 role;
    address account;
}

/// @notice What to look at; what a contract of the kind does not have must be empty
struct Query {
    Kind kind;
    address target;
    Key[] destinations;
    Key[] sources;
    uint256[] remotes;
    uint32[] domains;
    RoleKey[] roles;
    address[] treasury;
}

/// @notice What never changes; zero where a contract of the kind does not have it
struct Fixed {
    address token;
    uint8 decimals;
    uint256 place;
    address registry;
    address messenger;
    address transmitter;
    address pool;
    address lastResort;
    uint32 absorbRate;
    address privacyPool;
}

/// @notice A contract at one block; the lists are in the order of the query's
struct Snapshot {
    bytes32 codeHash; // with all else zero when there is no contract
    Fixed fixed_;
    address admin;
    address pendingAdmin;
    uint256 liquidity;
    Totals totals;
    uint64 orders;
    bool depositsPaused;
    bool paymentsPaused;
    Limits limits;
    RollingCap.Bucket[4] caps;
    uint256[4] spendable;
    uint32 feeBound;
    uint256 shieldFee; // the privacy pool's, in basis points; the largest number while it does not answer
    Destination[] destinations;
    Source[] sources;
    uint256[] spendableFrom;
    Remote[] remotes;
    uint256[] places;
    bool[] roles;
    bool[] treasury;
}

/// @notice An order as seen by its source and by the pool that owes it, where each is on this network
struct OrderView {
    bytes32 id;
    Deposit deposit;
    Settlement settlement;
}

/// @title Lens
/// @notice Answers what off-chain programs ask about the contracts, in one call
/// @dev Never deployed: LensCall runs it inside an eth_call that has no recipient. So the contracts need no code for
/// questions that no contract asks.
contract Lens {
    /// @notice The most decimals that a pool takes an order with
    uint8 private constant MAX_DECIMALS = 18;
    /// @notice What asking for the fee of a privacy pool may cost: many times what it does
    uint256 private constant SHIELD_FEE_GAS = 500_000;

    /// @notice The ID of an order
    function orderId(Order memory order) external pure returns (bytes32) {
        return order.id();
    }

    /// @notice Why `from` would not take `order` now, as far as destination, recipient and amount tell
    /// @dev None is no promise that a call succeeds. Not looked at: the caller, the refund's account (RefundTo), a
    /// pause, the caller's balance and allowance. A zero recipient gives RecipientZero, though `swap` puts a key that
    /// calls in its place, as a receiver does the burner. At a receiver, Source and Hook are not looked at either, and
    /// Closed is no reason, because it takes orders to closed destinations too.
    function refusal(IOrderSource from, Order memory order, Kind kind) external view returns (Refusal why) {
        Destination memory terms = destination(from, Key(order.dstPlace, order.dstToken));
        if (terms.state == Link.None) return Refusal.Destination;
        why = RecipientBytes.problem(terms.delivery, order.recipientType, order.recipient, terms.pool);
        if (why != Refusal.None) return why;
        (uint128 min, uint128 max) = from.limits();
        if (order.amount < min) return Refusal.AmountTooLow;
        if (order.amount > max) return Refusal.AmountTooHigh;
        if (terms.state == Link.Closed && kind != Kind.Receiver) return Refusal.Closed;
    }

    /// @notice What `pool` would pay for `order` now, and to whom its partner's fee would go; also if the source is
    /// closed
    function quote(IPool pool, Order memory order)
        external
        view
        returns (Fees memory fees, address integrator)
    {
        if (order.srcDecimals > MAX_DECIMALS) revert ILedger.TooManyDecimals(order.srcDecimals);
        Source memory from = source(pool, Key(order.srcPlace, order.srcPool));
        if (from.state == Link.None) revert IPool.UnknownSource(order.srcPlace, order.srcPool);
        uint256 rate = order.rate < from.rate ? order.rate : from.rate;
        (address wallet, uint32 partnerRate, bool active) = pool.registry().integrators(order.integratorId);
        integrator = active ? wallet : address(0);
        uint8 decimals = ILedger(address(pool)).decimals();
        fees = FeeMath.split(order.amount, order.srcDecimals, decimals, rate, active ? partnerRate : 0);
    }

    /// @notice What a cap lets out now
    function spendable(ILedger ledger, CapKind kind) public view returns (uint256) {
        RollingCap.Bucket memory bucket = cap(ledger, kind);
        return RollingCap.spendable(bucket.cap, bucket.level, bucket.since);
    }

    /// @notice What `pool` may pay now for orders of the source `from` at `place`, as far as their own cap goes
    function spendableFrom(IPool pool, uint256 place, address from) public view returns (uint256) {
        Source memory bucket = source(pool, Key(place, from));
        return RollingCap.spendable(bucket.cap, bucket.level, bucket.since);
    }

    /// @notice Orders at their source, and at the pool that owes them; either may be zero for "not here"
    function orders(IOrderSource source_, IPool pool, bytes32[] memory ids)
        external
        view
        returns (OrderView[] memory views)
    {
        views = new OrderView[](ids.length);
        for (uint256 i; i < ids.length; ++i) {
            views[i].id = ids[i];
            Deposit memory d = views[i].deposit;
            if (address(source_) != address(0)) {
                (d.amount, d.deadline, d.domain, d.state) = source_.deposits(ids[i]);
            }
            if (address(pool) != address(0)) views[i].settlement = pool.settlements(ids[i]);
        }
    }

    /// @notice Contracts at one block
    function snapshot(Query[] memory queries)
        external
        view
        returns (uint256 chainId, uint256 number, uint256 timestamp, Snapshot[] memory snapshots)
    {
        snapshots = new Snapshot[](queries.length);
        for (uint256 i; i < queries.length; ++i) {
            if (queries[i].target.code.length == 0) continue;
            snapshots[i].codeHash = queries[i].target.codehash;
            look(queries[i], snapshots[i]);
        }
        return (block.chainid, block.number, block.timestamp, snapshots);
    }

    function look(Query memory q, Snapshot memory s) private view {
        lookAtLedger(q, s);
        lookAtDestinations(q, s);
        lookAtRoles(q, s);
        if (q.kind == Kind.Receiver) return lookAtReceiver(q, s);
        lookAtPool(IPool(q.target), q, s);
        if (q.kind == Kind.GatewayPool) lookAtGateway(IGatewayPool(q.target), q, s);
        if (q.kind == Kind.ShieldPool) lookAtPrivacyPool(IShieldPool(q.target).privacyPool(), s);
    }

    /// @dev The privacy pool is another's, behind a proxy that its owners pause and replace. That must not hide the
    /// rest, whatever it answers, and however much gas it takes.
    function lookAtPrivacyPool(IPrivacyPool privacyPool, Snapshot memory s) private view {
        s.fixed_.privacyPool = address(privacyPool);
        s.shieldFee = type(uint256).max;
        (bool ok, bytes memory answer) =
            address(privacyPool).staticcall{gas: SHIELD_FEE_GAS}(abi.encodeCall(IPrivacyPool.shieldFee, ()));
        if (!ok || answer.length < 32) return;
        uint256 fee = abi.decode(answer, (uint256));
        if (fee <= type(uint120).max) s.shieldFee = fee;
    }

    function lookAtLedger(Query memory q, Snapshot memory s) private view {
        ILedger ledger = ILedger(q.target);
        s.fixed_.token = Currency.unwrap(ledger.token());
        s.fixed_.decimals = ledger.decimals();
        s.admin = ITwoStepAdmin(q.target).admin();
        s.pendingAdmin = ITwoStepAdmin(q.target).pendingAdmin();
        s.liquidity = ledger.liquidity();
        (s.totals.owed, s.totals.held) = ledger.totals();
        s.orders = ledger.orders();
        s.depositsPaused = ledger.depositsPaused();
        s.paymentsPaused = ledger.paymentsPaused();
        (s.limits.min, s.limits.max) = IOrderSource(q.target).limits();
        for (uint256 i; i < 4; ++i) {
            s.caps[i] = cap(ledger, CapKind(i));
            s.spendable[i] = spendable(ledger, CapKind(i));
        }
    }

    function lookAtDestinations(Query memory q, Snapshot memory s) private view {
        s.destinations = new Destination[](q.destinations.length);
        for (uint256 i; i < q.destinations.length; ++i) {
            s.destinations[i] = destination(IOrderSource(q.target), q.destinations[i]);
        }
    }

    function lookAtRoles(Query memory q, Snapshot memory s) private view {
        s.roles = new bool[](q.roles.length);
        for (uint256 i; i < q.roles.length; ++i) {
            s.roles[i] = IAccessControl(q.target).hasRole(q.roles[i].role, q.roles[i].account);
        }
    }

    function lookAtPool(IPool pool, Query memory q, Snapshot memory s) private view {
        s.fixed_.place = pool.place();
        s.fixed_.registry = address(pool.registry());
        s.feeBound = pool.feeBound();
        s.sources = new Source[](q.sources.length);
        s.spendableFrom = new uint256[](q.sources.length);
        for (uint256 i; i < q.sources.length; ++i) {
            s.sources[i] = source(pool, q.sources[i]);
            s.spendableFrom[i] = spendableFrom(pool, q.sources[i].place, q.sources[i].account);
        }
        s.treasury = new bool[](q.treasury.length);
        for (uint256 i; i < q.treasury.length; ++i) {
            s.treasury[i] = pool.treasury(q.treasury[i]);
        }
    }

    function lookAtGateway(IGatewayPool pool, Query memory q, Snapshot memory s) private view {
        s.fixed_.messenger = address(pool.messenger());
        s.remotes = new Remote[](q.remotes.length);
        for (uint256 i; i < q.remotes.length; ++i) {
            Remote memory r = s.remotes[i];
            (r.domain, r.token, r.state) = pool.remotes(q.remotes[i]);
        }
    }

    function lookAtReceiver(Query memory q, Snapshot memory s) private view {
        IReceiver receiver = IReceiver(q.target);
        s.fixed_.messenger = address(receiver.messenger());
        s.fixed_.transmitter = address(receiver.transmitter());
        s.fixed_.pool = receiver.pool();
        s.fixed_.lastResort = receiver.lastResort();
        s.fixed_.absorbRate = receiver.absorbRate();
        s.places = new uint256[](q.domains.length);
        for (uint256 i; i < q.domains.length; ++i) {
            s.places[i] = receiver.places(q.domains[i]);
        }
    }

    function cap(ILedger ledger, CapKind kind) private view returns (RollingCap.Bucket memory b) {
        (b.cap, b.level, b.since) = ledger.caps(kind);
    }

    function destination(IOrderSource from, Key memory key) private view returns (Destination memory d) {
        (d.delivery, d.state, d.pool, d.rate, d.lifetime) = from.destinations(key.place, key.account);
    }

    function source(IPool pool, Key memory key) private view returns (Source memory s) {
        (s.state, s.rate, s.cap, s.level, s.since) = pool.sources(key.place, key.account);
    }
}
