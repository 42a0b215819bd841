// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {GatewayPool} from "../../src/GatewayPool.sol";
import {Pool} from "../../src/Pool.sol";
import {Ledger} from "../../src/base/Ledger.sol";
import {OrderSource} from "../../src/base/OrderSource.sol";
import {Remote} from "../../src/interfaces/IGatewayPool.sol";
import {CapKind} from "../../src/interfaces/ILedger.sol";
import {Limits} from "../../src/interfaces/IOrderSource.sol";
import {Currency} from "../../src/types/Currency.sol";
import {Link, Order} from "../../src/types/Order.sol";
import {Deals} from "./Deals.sol";

/// @notice The worst that all roles together can do
abstract contract Ruin is Deals {
    /// @notice Every role takes what it can and stops what it can, in random order; at the end no relayer is left
    function ruin() internal {
        uint256 first = draw(0, 3);
        for (uint256 i; i < 4; ++i) {
            uint256 step = (first + i) % 4;
            for (uint256 p; p < pools.length; ++p) {
                if (step == 0) embezzle(pools[p]);
                else if (step == 1) drain(pools[p]);
                else if (step == 2) close(pools[p]);
            }
            if (step == 3) changeMany(6);
        }
        for (uint256 p; p < pools.length; ++p) {
            drain(pools[p]);
            vm.assertEq(pools[p].liquidity(), 0, "no liquidity is left");
        }
        try receiver.sweep() {} catch {}
        for (uint256 i; i < ledgers.length; ++i) {
            stop(ledgers[i]);
        }
    }

    /// @dev A relayer pays invented orders until it may not any more.
    function embezzle(Pool pool) private {
        (, uint128 max) = pool.limits();
        Order memory order;
        (order.dstPlace, order.dstPool, order.deadline) = (pool.place(), address(pool), type(uint48).max);
        (order.srcDecimals, order.amount) = (pool.decimals(), max);
        (order.dstToken, order.recipient) = (Currency.unwrap(pool.token()), abi.encodePacked(stranger));
        if (address(pool) == address(shieldPool)) (order.recipientType, order.recipient) = (2, note());
        for (uint256 i; i < payers.length; ++i) {
            if (address(payers[i].pool) != address(pool)) continue;
            (order.srcPlace, order.srcPool) = (payers[i].place, payers[i].source);
            for (uint256 n; n < 5; ++n) {
                order.nonce = draw(0, type(uint256).max - 1);
                vm.prank(standby);
                try pool.fulfil(order, true) {} catch {}
            }
        }
    }

    /// @dev Admin and treasurer together empty the pool: they ask for all it has, and then for all they may have.
    function drain(Pool pool) private {
        address to = address(pool);
        setAsAdmin(to, abi.encodeCall(pool.grantRole, (pool.TREASURER_ROLE(), treasurer)));
        setAsAdmin(to, abi.encodeCall(Pool.setTreasury, (treasury, true)));
        setAsAdmin(to, abi.encodeCall(Ledger.setCap, (CapKind.Treasury, type(uint96).max)));
        uint256 all = balance(pool);
        vm.prank(treasurer);
        try pool.withdraw(treasury, all) {} catch {}
        uint256 free = pool.liquidity();
        vm.prank(treasurer);
        pool.withdraw(treasury, free);
    }

    /// @dev No order is taken or paid any more.
    function close(Pool pool) private {
        (uint128 min,) = pool.limits();
        largest(pool);
        setAsAdmin(address(pool), abi.encodeCall(Pool.setLimits, (Limits(min, min))));
        setAsAdmin(address(pool), abi.encodeCall(Pool.setFeeBound, (0)));
        for (uint256 i; i < payers.length; ++i) {
            if (address(payers[i].pool) != address(pool)) continue;
            bytes memory call =
                abi.encodeCall(Pool.setSource, (payers[i].place, payers[i].source, Link.Closed, 10_000, 0));
            setAsAdmin(address(pool), call);
        }
        Remote memory remote = Remote(ARBITRUM_DOMAIN, address(there.token), Link.Closed);
        if (address(pool) == address(gateway)) {
            setAsAdmin(address(pool), abi.encodeCall(GatewayPool.setRemote, (ARBITRUM, remote)));
        }
    }

    /// @dev Everything paused, every cap as low as it can be, no relayer, and an admin that does nothing any more.
    function stop(OrderSource ledger) private {
        address to = address(ledger);
        setAsAdmin(to, abi.encodeCall(Ledger.setPauses, (true, true)));
        setAsAdmin(to, abi.encodeCall(Ledger.setCap, (CapKind.Payments, 0)));
        setAsAdmin(to, abi.encodeCall(Ledger.setCap, (CapKind.Refunds, 0)));
        setAsAdmin(to, abi.encodeCall(Ledger.revokeRelayer, (relayer)));
        setAsAdmin(to, abi.encodeCall(Ledger.revokeRelayer, (standby)));
        address gone = account("gone");
        setAsAdmin(to, abi.encodeCall(ledger.offerAdmin, (gone)));
        vm.prank(gone);
        ledger.acceptAdmin();
    }
}
