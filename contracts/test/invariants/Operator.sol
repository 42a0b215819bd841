// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {GatewayPool} from "../../src/GatewayPool.sol";
import {Pool} from "../../src/Pool.sol";
import {Ledger} from "../../src/base/Ledger.sol";
import {OrderSource} from "../../src/base/OrderSource.sol";
import {Remote} from "../../src/interfaces/IGatewayPool.sol";
import {CapKind} from "../../src/interfaces/ILedger.sol";
import {Destination, Limits} from "../../src/interfaces/IOrderSource.sol";
import {Currency} from "../../src/types/Currency.sol";
import {Link} from "../../src/types/Order.sol";
import {MintableToken} from "../standins/MintableToken.sol";
import {Actions} from "./Actions.sol";

/// @notice Actions of the operator: settings, repairs, liquidity; and time
abstract contract Operator is Actions {
    address[] private paidBy; // of each route, as deployed
    mapping(address ledger => Limits) private limitsOf;
    mapping(address ledger => mapping(uint256 kind => uint96)) private capsOf;

    function setUp() public virtual override {
        super.setUp();
        for (uint256 i; i < routes.length; ++i) {
            (,, address pool,,) = routes[i].from.destinations(routes[i].place, routes[i].token);
            paidBy.push(pool);
        }
        for (uint256 i; i < ledgers.length; ++i) {
            (uint128 min, uint128 max) = ledgers[i].limits();
            limitsOf[address(ledgers[i])] = Limits(min, max);
            for (uint256 kind; kind < 4; ++kind) {
                (capsOf[address(ledgers[i])][kind],,) = ledgers[i].caps(CapKind(kind));
            }
        }
    }

    function actSet() internal {
        changeMany(5);
        noteCaps();
        count(Did.Set);
    }

    /// @dev Back to what was deployed, as far as settings can go back; rates that fell stay low.
    function actRepair() internal {
        for (uint256 i; i < ledgers.length; ++i) {
            repair(ledgers[i]);
        }
        for (uint256 i; i < pools.length; ++i) {
            address pool = address(pools[i]);
            largest(pools[i]);
            setAsAdmin(pool, abi.encodeCall(Pool.setLimits, (limitsOf[pool])));
            setAsAdmin(pool, abi.encodeCall(Pool.setFeeBound, (FEE_BOUND)));
        }
        for (uint256 i; i < payers.length; ++i) {
            Payer memory p = payers[i];
            (, uint128 max) = p.pool.limits();
            bytes memory call =
                abi.encodeCall(Pool.setSource, (p.place, p.source, Link.Open, 5_000, 8 * uint96(max)));
            setAsAdmin(address(p.pool), call);
        }
        Remote memory remote = Remote(ARBITRUM_DOMAIN, address(there.token), Link.Open);
        setAsAdmin(address(gateway), abi.encodeCall(GatewayPool.setRemote, (ARBITRUM, remote)));
        repairRoutes();
        noteCaps();
    }

    function repair(OrderSource ledger) private {
        address to = address(ledger);
        employ(ledger);
        setAsAdmin(to, abi.encodeCall(ledger.grantRole, (ledger.GUARDIAN_ROLE(), guardian)));
        setAsAdmin(to, abi.encodeCall(Ledger.setPauses, (false, false)));
        uint256 least = 2 * largest(ledger);
        for (uint256 kind; kind < 4; ++kind) {
            uint96 cap = capsOf[to][kind] < least ? uint96(least) : capsOf[to][kind];
            (uint96 before,,) = ledger.caps(CapKind(kind));
            setAsAdmin(to, abi.encodeCall(Ledger.setCap, (CapKind(kind), cap)));
            if (cap < before) onLowered(ledger, CapKind(kind));
        }
    }

    function repairRoutes() private {
        for (uint256 i; i < routes.length; ++i) {
            Route memory r = routes[i];
            Destination memory d;
            (d.delivery,,, d.rate, d.lifetime) = r.from.destinations(r.place, r.token);
            (d.state, d.pool) = (Link.Open, paidBy[i]);
            setAsAdmin(address(r.from), abi.encodeCall(OrderSource.setDestination, (r.place, r.token, d)));
        }
    }

    function employ(OrderSource ledger) private {
        bytes32 role = ledger.RELAYER_ROLE();
        if (ledger.hasRole(role, relayer) && ledger.hasRole(role, standby)) return;
        setAsAdmin(address(ledger), abi.encodeCall(ledger.grantRole, (role, relayer)));
        setAsAdmin(address(ledger), abi.encodeCall(ledger.grantRole, (role, standby)));
    }

    /// @dev Funds a pool, and transfers to a contract without a call.
    function actGive() internal {
        Pool pool = pickPool();
        uint256 amount = draw(1, 2 * uint256(limitsOf[address(pool)].max));
        fund(pool, amount);
        came[address(pool)] += amount;
        count(Did.Fund);
        OrderSource ledger = pick();
        address token = Currency.unwrap(ledger.token());
        if (ledger.token().isNative()) vm.deal(address(ledger), address(ledger).balance + amount);
        else MintableToken(token).mint(address(ledger), amount);
        came[address(ledger)] += amount;
        count(Did.Donate);
    }

    function actSweep() internal {
        sweep(stranger);
    }

    function sweep(address caller) internal {
        uint256 amount = receiver.liquidity();
        vm.prank(caller);
        try receiver.sweep() {
            left[address(receiver)] += amount;
            came[address(gateway)] += amount;
            count(Did.Sweep);
        } catch {}
    }

    /// @dev Within the two days that a relayer has there is one, and it releases what was paid.
    function actWait() internal {
        for (uint256 i; i < ledgers.length; ++i) {
            employ(ledgers[i]);
        }
        actRelease();
        vm.warp(block.timestamp + draw(1 hours, 2 days));
        actRelease();
        count(Did.Wait);
    }
}
