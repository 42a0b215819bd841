// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IGatewayPool, Remote} from "../../src/interfaces/IGatewayPool.sol";
import {IIntegratorRegistry} from "../../src/interfaces/IIntegratorRegistry.sol";
import {CapKind, ILedger, Totals} from "../../src/interfaces/ILedger.sol";
import {
    Deposit,
    DepositState,
    Destination,
    IOrderSource,
    Limits
} from "../../src/interfaces/IOrderSource.sol";
import {IPool, Settlement, Source} from "../../src/interfaces/IPool.sol";
import {IReceiver} from "../../src/interfaces/IReceiver.sol";
import {ITwoStepAdmin} from "../../src/interfaces/ITwoStepAdmin.sol";
import {Link, Order} from "../../src/types/Order.sol";
import {Vm} from "../support/Test.sol";

/// @notice A claim that one order made
struct Claim {
    address account;
    bytes32 id;
    uint256 amount;
}

/// @notice A partner
struct Partner {
    address wallet;
    uint32 rate;
    bool active;
}

/// @notice A cap and what of it is used
struct Level {
    uint96 cap;
    uint96 level;
    uint32 since;
}

/// @notice What a contract's logs say of its state
struct State {
    Totals totals;
    uint256 orders;
    bool depositsPaused;
    bool paymentsPaused;
    address admin;
    address pendingAdmin;
    Limits limits;
    uint32 feeBound;
    Claim[] open; // claims not yet paid out, order by order
    mapping(bytes32 id => Deposit) deposits;
    mapping(bytes32 id => Settlement) settlements;
    mapping(CapKind kind => Level) caps;
    mapping(uint256 place => mapping(address pool => Source)) sources;
    mapping(uint256 place => mapping(address token => Destination)) destinations;
    mapping(uint256 place => Remote) remotes;
    mapping(uint32 domain => uint256) places;
    mapping(address account => bool) treasury;
    mapping(address sender => mapping(address refundTo => uint256)) nonces;
    mapping(bytes32 role => mapping(address account => bool)) roles;
    mapping(bytes32 role => bytes32) roleAdmins;
    mapping(bytes32 id => Partner) partners;
}

/// @notice Rebuilds the state of every contract from its logs and the times of their blocks, and from nothing else
/// @dev Written from what the events are documented to say, not from the contracts.
abstract contract Indexer {
    mapping(address emitter => State) internal states;
    Vm.Log private log; // the one that is read now

    /// @notice Reads the logs of a block at `time`
    function index(Vm.Log[] memory logs, uint256 time) internal {
        for (uint256 i; i < logs.length; ++i) {
            log = logs[i];
            State storage s = states[log.emitter];
            bytes32 what = log.topics[0];
            _order(s, what, time);
            _payment(s, what, time);
            _money(s, what, time);
            _setting(s, what);
            _route(s, what);
            _role(s, what);
            _partner(s, what);
        }
    }

    /// @notice What `account` may claim: all that its orders left it and that was not paid out
    function claimOf(State storage s, address account) internal view returns (uint256 sum) {
        for (uint256 i; i < s.open.length; ++i) {
            if (s.open[i].account == account) sum += s.open[i].amount;
        }
    }

    // ---------------------------------------------------------------- orders

    function _order(State storage s, bytes32 what, uint256 time) private {
        if (what == IOrderSource.OrderOpened.selector) _opened(s);
        else if (what == IReceiver.BurnReceived.selector) _burn(s);
        else if (what == IReceiver.OrderUnpayable.selector) _unpayable(s);
        else if (what == IOrderSource.ReclaimAnnounced.selector) _announced(s);
        else if (what == IOrderSource.OrderReclaimed.selector) _left(s);
        else if (what == IOrderSource.OrderRefunded.selector) spend(s, CapKind.Refunds, _left(s), time);
        else if (what == IOrderSource.OrderReleased.selector) spend(s, CapKind.Releases, _left(s), time);
    }

    /// @dev An order without an account to refund is not held: its money is owed at once.
    function _opened(State storage s) private {
        (address depositor, uint256 number, uint256 amount, Order memory order) =
            abi.decode(log.data, (address, uint256, uint256, Order));
        require(number == s.orders++, "every order is numbered, none is missing");
        require(order.id() == log.topics[1], "the ID is that of the order");
        ++s.nonces[depositor][order.refundTo];
        if (order.refundTo == address(0)) return;
        s.deposits[log.topics[1]] = Deposit(uint128(amount), order.deadline, 0, DepositState.Held);
        s.totals.held += uint128(amount);
    }

    function _burn(State storage s) private {
        Deposit storage deposit = s.deposits[log.topics[1]];
        if (deposit.state != DepositState.None) deposit.domain = uint32(uint256(log.topics[3]));
    }

    function _unpayable(State storage s) private {
        Deposit storage deposit = s.deposits[log.topics[1]];
        if (deposit.state != DepositState.None) deposit.state = DepositState.Unpayable;
    }

    function _announced(State storage s) private {
        Deposit storage deposit = s.deposits[log.topics[1]];
        (deposit.deadline, deposit.state) = (abi.decode(log.data, (uint48)), DepositState.Announced);
    }

    function _left(State storage s) private returns (uint256 amount) {
        (amount) = abi.decode(log.data, (uint256));
        require(s.deposits[log.topics[1]].amount == amount, "what leaves is what was held");
        delete s.deposits[log.topics[1]];
        s.totals.held -= uint128(amount);
    }

    // -------------------------------------------------------------- payments

    function _payment(State storage s, bytes32 what, uint256 time) private {
        if (what == IPool.OrderCancelled.selector) s.settlements[log.topics[1]] = Settlement.Cancelled;
        if (what != IPool.OrderFulfilled.selector) return;
        s.settlements[log.topics[1]] = Settlement.Fulfilled;
        (uint256 place, address pool, uint256 received,, uint256 integrator, uint256 third,) =
            abi.decode(log.data, (uint256, address, uint256, uint256, uint256, uint256, bool));
        uint256 leaves = received + integrator + third;
        spend(s, CapKind.Payments, leaves, time);
        Source storage source = s.sources[place][pool];
        source.level = drained(source.cap, source.level, source.since, time) + uint96(leaves);
        source.since = uint32(time);
    }

    function _money(State storage s, bytes32 what, uint256 time) private {
        if (what == ILedger.Credited.selector) {
            uint256 amount = abi.decode(log.data, (uint256));
            s.open.push(Claim(_account(1), log.topics[2], amount));
            s.totals.owed += uint128(amount);
        } else if (what == ILedger.Claimed.selector) {
            (, uint256 amount) = abi.decode(log.data, (address, uint256));
            require(claimOf(s, _account(1)) == amount, "all that is owed is claimed");
            _close(s, _account(1));
            s.totals.owed -= uint128(amount);
        } else if (what == IPool.Withdrawn.selector) {
            spend(s, CapKind.Treasury, abi.decode(log.data, (uint256)), time);
        }
    }

    function _close(State storage s, address account) private {
        for (uint256 i = s.open.length; i > 0; --i) {
            if (s.open[i - 1].account != account) continue;
            s.open[i - 1] = s.open[s.open.length - 1];
            s.open.pop();
        }
    }

    function spend(State storage s, CapKind kind, uint256 amount, uint256 time) private {
        Level storage cap = s.caps[kind];
        cap.level = drained(cap.cap, cap.level, cap.since, time) + uint96(amount);
        cap.since = uint32(time);
    }

    /// @dev Half a cap drains in a day.
    function drained(uint256 cap, uint256 level, uint256 since, uint256 time) private pure returns (uint96) {
        uint256 gone = (time - since) * (cap / 2) / 1 days;
        return level > gone ? uint96(level - gone) : 0;
    }

    // -------------------------------------------------------------- settings

    function _setting(State storage s, bytes32 what) private {
        if (what == ILedger.PausesSet.selector) {
            (s.depositsPaused, s.paymentsPaused) = abi.decode(log.data, (bool, bool));
        } else if (what == ILedger.CapSet.selector) {
            s.caps[CapKind(uint256(log.topics[1]))].cap = abi.decode(log.data, (uint96));
        } else if (what == IPool.LimitsSet.selector) {
            s.limits = abi.decode(log.data, (Limits));
        } else if (what == IPool.FeeBoundSet.selector) {
            s.feeBound = abi.decode(log.data, (uint32));
        } else if (what == IPool.TreasurySet.selector) {
            s.treasury[_account(1)] = abi.decode(log.data, (bool));
        }
    }

    function _route(State storage s, bytes32 what) private {
        if (what == IPool.SourceSet.selector) {
            Source storage source = s.sources[uint256(log.topics[1])][_account(2)];
            (source.state, source.rate, source.cap) = abi.decode(log.data, (Link, uint24, uint96));
        } else if (what == IOrderSource.DestinationSet.selector) {
            s.destinations[uint256(log.topics[1])][_account(2)] = abi.decode(log.data, (Destination));
        } else if (what == IGatewayPool.RemoteSet.selector) {
            s.remotes[uint256(log.topics[1])] = abi.decode(log.data, (Remote));
        } else if (what == IReceiver.PlaceSet.selector) {
            s.places[uint32(uint256(log.topics[1]))] = abi.decode(log.data, (uint256));
        }
    }

    function _role(State storage s, bytes32 what) private {
        if (what == IAccessControl.RoleGranted.selector) {
            s.roles[log.topics[1]][_account(2)] = true;
            if (log.topics[1] == 0) (s.admin, s.pendingAdmin) = (_account(2), address(0));
        } else if (what == IAccessControl.RoleRevoked.selector) {
            s.roles[log.topics[1]][_account(2)] = false;
        } else if (what == IAccessControl.RoleAdminChanged.selector) {
            s.roleAdmins[log.topics[1]] = log.topics[3];
        } else if (what == ITwoStepAdmin.AdminOffered.selector) {
            s.pendingAdmin = _account(1);
        }
    }

    function _partner(State storage s, bytes32 what) private {
        if (what == IIntegratorRegistry.Registered.selector) {
            (address wallet, uint32 rate) = abi.decode(log.data, (address, uint32));
            s.partners[log.topics[1]] = Partner(wallet, rate, true);
        } else if (what == IIntegratorRegistry.ActiveSet.selector) {
            s.partners[log.topics[1]].active = abi.decode(log.data, (bool));
        } else if (what == IIntegratorRegistry.RateLowered.selector) {
            s.partners[log.topics[1]].rate = abi.decode(log.data, (uint32));
        }
    }

    function _account(uint256 topic) private view returns (address) {
        return address(uint160(uint256(log.topics[topic])));
    }
}
