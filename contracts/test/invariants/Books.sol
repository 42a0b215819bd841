// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pool} from "../../src/Pool.sol";
import {OrderSource} from "../../src/base/OrderSource.sol";
import {CapKind} from "../../src/interfaces/ILedger.sol";
import {Order} from "../../src/types/Order.sol";
import {Deals} from "../proofs/Deals.sol";

/// @notice Books kept beside the contracts, from what each step is known to move, and never from a balance
abstract contract Books is Deals {
    /// @notice What succeeded
    enum Did {
        Deposit,
        Pay,
        Batch,
        Shield,
        Onward,
        Owe,
        Release,
        Cancel,
        Refund,
        Announce,
        Reclaim,
        ReclaimHere,
        Claim,
        Fund,
        Donate,
        Withdraw,
        Sweep,
        Set,
        Lie,
        Steal, // attempts of the thief
        Wait
    }

    /// @notice What became of an order
    struct Fate {
        bool paid;
        bool back; // its deposit was given back
        bool voided; // released by a relayer that lied
        bool released;
    }

    struct Spent {
        uint256 time;
        uint256 amount;
    }

    uint256 internal constant DIDS = 21;

    Order[] internal orders;
    mapping(bytes32 id => Fate) internal fates;
    mapping(address ledger => uint256) internal came; // funded, deposited, donated, minted
    mapping(address ledger => uint256) internal left; // paid, refunded, reclaimed, claimed, withdrawn, swept
    mapping(address ledger => uint256) internal kept; // deposits held for open orders
    mapping(address ledger => uint256) internal backlog; // of these, what was paid
    mapping(address ledger => mapping(CapKind kind => Spent[])) private spent;
    mapping(address ledger => mapping(CapKind kind => uint256)) private highest; // caps
    uint256[DIDS] internal did;
    uint256 internal began;

    function setUp() public virtual override {
        super.setUp();
        began = block.timestamp;
        for (uint256 i; i < ledgers.length; ++i) {
            came[address(ledgers[i])] = balance(ledgers[i]);
        }
        noteCaps();
    }

    function count(Did what) internal {
        ++did[uint256(what)];
    }

    function times(Did what) internal view returns (uint256) {
        return did[uint256(what)];
    }

    // ---------------------------------------------------------------- record

    /// @notice Records money that left for `to`, unless it is owed instead
    function recordLeft(OrderSource ledger, uint256 amount, uint256 owedBefore) internal {
        uint256 owing = owed(ledger) - owedBefore;
        if (owing > 0) count(Did.Owe);
        left[address(ledger)] += amount - owing;
    }

    function recordOpened(OrderSource from, uint256 deposit, Order memory order) internal {
        came[address(from)] += deposit;
        kept[address(from)] += deposit;
        orders.push(order);
        count(Did.Deposit);
    }

    function recordPaid(Order memory order) internal {
        Fate storage fate = fates[order.id()];
        vm.assertFalse(fate.paid, "an order is paid once");
        vm.assertFalse(fate.back, "an order is not paid after its deposit was given back");
        fate.paid = true;
        backlog[order.srcPool] += held(OrderSource(order.srcPool), order.id());
    }

    /// @notice Records a deposit given back, of which `fates` must not know that it was paid
    function recordBack(Order memory order, uint256 amount) internal {
        Fate storage fate = fates[order.id()];
        vm.assertFalse(fate.paid, "the deposit of a paid order is not given back");
        vm.assertFalse(fate.back || fate.voided, "a deposit is given back once");
        fate.back = true;
        kept[order.srcPool] -= amount;
    }

    /// @notice Records what a cap counts, and holds it against the highest cap there was
    /// @dev In no stretch of a day more than the cap leaves; right after it was spent the sum is the largest.
    function recordSpent(OrderSource ledger, CapKind kind, uint256 amount) internal {
        Spent[] storage all = spent[address(ledger)][kind];
        all.push(Spent(block.timestamp, amount));
        uint256 sum;
        for (uint256 i = all.length; i > 0 && all[i - 1].time + 1 days > block.timestamp; --i) {
            sum += all[i - 1].amount;
        }
        vm.assertLe(sum, highest[address(ledger)][kind], "no more than the cap in any day");
    }

    function onLowered(OrderSource ledger, CapKind kind) internal override {
        if (kind == CapKind.Releases) delete spent[address(ledger)][kind];
    }

    /// @notice Remembers every cap that is higher than before; called after each change
    function noteCaps() internal {
        for (uint256 i; i < ledgers.length; ++i) {
            for (uint256 kind; kind < 4; ++kind) {
                (uint96 cap,,) = ledgers[i].caps(CapKind(kind));
                uint256 before = highest[address(ledgers[i])][CapKind(kind)];
                if (cap > before) highest[address(ledgers[i])][CapKind(kind)] = cap;
            }
        }
    }

    function onWithdrawn(Pool pool, uint256 amount) internal override {
        left[address(pool)] += amount;
        if (amount == 0) return;
        noteCaps();
        recordSpent(pool, CapKind.Treasury, amount);
        count(Did.Withdraw);
    }

    // -------------------------------------------------------------- formulas

    /// @notice What leaves a pool when it pays `order` now: the recipient's part, the partner's and third parties'
    function leaves(Pool pool, Order memory order) internal view returns (uint256) {
        (, uint24 rate,,,) = pool.sources(order.srcPlace, order.srcPool);
        if (order.rate < rate) rate = uint24(order.rate);
        (, uint32 partnerRate, bool active) = registry.integrators(order.integratorId);
        uint256 gross = order.amount * 10 ** pool.decimals() / 10 ** order.srcDecimals;
        uint256 partners = active ? gross * partnerRate / 1e6 : 0;
        return cost(pool, order, gross - gross * rate / 1e6 - partners) + partners;
    }

    /// @dev The least that becomes `worth` after the third party's fee, found by counting up.
    function cost(Pool pool, Order memory order, uint256 worth) private view returns (uint256 c) {
        if (address(pool) == address(shieldPool)) {
            c = worth * 10_000 / (10_000 - privacyPool.shieldFee());
            while (c - c * privacyPool.shieldFee() / 10_000 > worth) --c;
            while (c > 0 && c - 1 - (c - 1) * privacyPool.shieldFee() / 10_000 == worth) --c;
            return c;
        }
        if (order.dstPlace != ARBITRUM || here.messenger.minFee() == 0) return worth;
        c = worth * 1e7 / (1e7 - here.messenger.minFee()) + 2;
        while (c - 1 - here.messenger.getMinFeeAmount(c - 1) >= worth) --c;
    }
}
