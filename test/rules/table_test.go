package rules_test

// mutants are the settler without one rule each. The names of the rules are those
// of the design: D50 the journal and the chain, D51 the lease, D52 proof, D53
// transactions, D54 keys, D55 burns, D56 what cannot be paid, D57 generations.
var mutants = []mutant{
	// The chain is the truth, the journal is a write-ahead log.
	{
		"D50 nothing is sent before it is committed", "send/call.go",
		"l.idle = false // also when the outcome of the commit is unknown", "l.idle = false\n\tl.launch(ctx, a)",
		"send TestCommittedBeforeSent",
	},
	{
		"D50 a nonce is a unique row that follows the last", "journal/book/commit.go",
		"if err == nil && a.Nonce != high.Nonce+1 && a.Nonce+1 != low.Nonce {", "if err == nil && a.Nonce > high.Nonce+100 {",
		"journal TestRefused",
	},
	{
		"D50 attempts are kept", "journal/book/commit.go",
		"a.Epoch, a.Sent, a.Sends, a.LastError = t.Epoch, time.Time{}, 0, \"\"",
		"a.Epoch, a.Sent, a.Sends, a.LastError = t.Epoch, time.Time{}, 0, \"\"\n\t_, _ = t.Q.ExecContext(ctx, \"DELETE FROM attempts WHERE nonce = $1\", a.Nonce)",
		"send TestAnEarlierAttemptIsMined",
	},
	{
		"D50 an unknown commit is read back", "send/outbox/outbox.go",
		"case !found:\n\t\treturn ErrAbsent", "case !found:\n\t\treturn nil",
		"send TestUnknownCommit",
	},
	{
		"D50 a send error means perhaps sent", "send/outbox/outbox.go",
		"\t\tfailure = err.Error()\n", "\t\t_ = o.Write(ctx, func(tx journal.Tx) error { tasks, err := tx.TasksOf(ctx, a.Chain, a.Key, a.Nonce); for _, t := range tasks { _ = tx.EndTask(ctx, t.ID, \"void\") }; return err })\n\t\tfailure = err.Error()\n",
		"send TestSendErrorMeansPerhapsSent",
	},
	{
		"D50 a receipt never decides about an order", "finish/finish.go",
		"progress := order.Sent\n", "progress := order.Done\n",
		"finish TestRound",
	},
	{
		"D50 only a final event decides that an order is paid", "policy/policy.go",
		"case !f.Paid.IsFinal():", "case false:",
		"policy TestStates",
	},
	{
		"D50 mined nonces without a row are foreign", "send/tend.go",
		"if err := l.nonces.Adopt(ctx, count); err != nil {", "if err := l.nonces.Adopt(ctx, 0); err != nil {",
		"send TestMinedNoncesWithoutARowAreForeign",
	},
	{
		"D50 nothing is sent before nonces are reconciled", "send/send.go",
		"\tif l.ready {\n", "\tif l.peers != nil {\n",
		"send TestNothingIsSentBeforeReconcile",
	},
	{
		"D50 the record of a contract beats a missing event", "writer/decide.go",
		"t.f.Held, t.f.Settlement = r.Held, r.Settlement", "t.f.Held = r.Held",
		"writer TestARecordBeatsAMissingEvent",
	},

	// One writer, by a lease.
	{
		"D51 every write checks its epoch", "journal/book/lease.go",
		"if err == nil && !held {", "if err == nil && !held && l.Epoch == 0 {",
		"journal TestOneWriter",
	},
	{
		"D51 an epoch that is given twice has one holder", "journal/book/lease.go",
		"WHERE epoch = $1 AND token = $2 \"+lock, l.Epoch, l.Token)", "WHERE epoch = $1 \"+lock, l.Epoch)",
		"journal TestSameEpochTwice",
	},
	{
		"D51 a takeover waits for a write under way", "journal/postgres/lease.go",
		`" FOR SHARE"`, `""`,
		"journal TestTakeoverWaitsForAWrite",
	},
	{
		"D51 news that comes during a decision is not undone", "journal/postgres/lease.go",
		"turn: make(chan struct{}, 1)", "turn: make(chan struct{}, 99)",
		"journal TestWritesComeOneAfterTheOther",
	},
	{
		"D51 a lease that has not ended is not taken", "journal/postgres/lease.go",
		`WHERE until < "+clock,`, `WHERE until < 3600000 + "+clock,`,
		"journal TestOneWriter",
	},
	{
		"D51 a writer that was stopped holds no transaction", "journal/postgres/postgres.go",
		"j.idle.Milliseconds()))", "j.idle.Milliseconds()*0))",
		"journal TestTakeover",
	},
	{
		"D51 one settler on a file", "journal/sqlite/sqlite.go",
		"syscall.LOCK_EX|syscall.LOCK_NB", "syscall.LOCK_SH|syscall.LOCK_NB",
		"journal TestOneWriter",
	},
	{
		"D51 a wish obeys the rules", "policy/policy.go",
		"if !c.f.Cancelled.IsFinal() {", "if !c.f.Cancelled.IsFinal() && c.f.Wish != order.WishRefund {",
		"policy TestStates",
	},

	// Deposits are found, then proved.
	{
		"D52 a log needs two endpoints", "watch/vote/logs.go",
		"len(givers[key]) == k-1", "len(givers[key]) == 0",
		"watch/vote TestLogs",
	},
	{
		"D52 one endpoint that repeats itself is one", "watch/vote/logs.go",
		"!givers[key][a.from] && len(givers[key])", "len(givers[key])",
		"watch/vote TestLogs",
	},
	{
		"D52 a tag needs two endpoints", "watch/vote/tag.go",
		"v.Peers = givers(these)", "_ = givers(these)",
		"watch/vote TestTag",
	},
	{
		"D52 a block that is gone takes its deposits along", "watch/judge/judge.go",
		"case v.gone || f.Proof < order.Agreed && v.denies(f):", "case f.Proof < order.Agreed && v.denies(f):",
		"watch TestReorganisation",
	},
	{
		"D52 a lost final block stops its chain", "watch/final/lost.go",
		"f.set(func(s *State) { s.Broken = f.anchor.Hash })", "f.set(func(s *State) { s.Broken = order.Hash{} })",
		"watch TestFinalBlockIsLost",
	},
	{
		"D52 a broken chain is not paid for", "policy/payment/payment.go",
		"case !known || src.Broken || w.Tags[o.Dst.Chain].Broken:", "case !known || w.Tags[o.Dst.Chain].Broken:",
		"policy TestFinality",
	},
	{
		"D52 a deposit without enough proof is not paid", "policy/payment/payment.go",
		"case have < least(o, r):", "case have < order.Agreed:",
		"policy TestFinality",
	},
	{
		"D52 chains without a safe tag wait for finality", "policy/payment/payment.go",
		"case r.Early[o.Src.Chain]:", "default:",
		"policy TestFinality",
	},
	{
		"D52 a stalled tag stops payments before finality", "policy/payment/payment.go",
		"case src.Stalled:", "case src.Stalled && have == 0:",
		"policy TestFinality",
	},
	{
		"D52 payments before finality use the exposure", "policy/payment/payment.go",
		"\t\tt.Needs = append(t.Needs, exposure(o))\n", "",
		"policy TestExposureIsNeverExceeded",
	},
	{
		"D52 exposure is reserved with the commit", "journal/book/commit.go",
		"limit := caps[token]; sum.Gt(&limit) {", "limit := caps[token]; sum.Gt(&limit) && limit.IsZero() {",
		"journal TestRefused",
	},
	{
		"D52 payments before finality are proved again", "writer/send.go",
		"(!t.step.Send.Reproof || proved[t.o.ID])", "(true || proved[t.o.ID])",
		"writer TestEarlyPaymentsAreProvedAgain",
	},
	{
		"D52 what logs leave out is found by the sums", "watch/follow/prove.go",
		"if f.differ = differ; len(differ) > 0 {", "if f.differ = nil; len(differ) < 0 {",
		"watch TestCensusFindsWhatIsLeftOut",
	},

	// Transactions.
	{
		"D53 few are in flight", "send/send.go",
		"free = max(0, l.opts.InFlight-h.Open)", "free = l.opts.InFlight",
		"send TestInFlightIsBounded",
	},
	{
		"D53 a mined nonce that the chain lost is sent again", "send/tend.go",
		"|| l.gone != l.opts.Gone() ||", "||",
		"send TestNoCallsWithoutNeed",
	},
	{
		"D53 one in flight where pools are odd", "/settler/network/network.go",
		"t = Traits{InFlight: 1, Mempool: true}", "t = Traits{InFlight: 16, Mempool: true}",
		"/internal/settler/network TestTraits",
	},
	{
		"D53 only the lowest nonce is replaced", "policy/lane/bump.go",
		"case t.Attempts == 0 || !t.Lowest || head < t.Sent+l.After:", "case t.Attempts == 0 || head < t.Sent+l.After:",
		"policy/lane TestBump",
	},
	{
		"D53 a replacement offers an eighth more, rounded up", "policy/lane/bump.go",
		"AddUint64(x, 7)", "AddUint64(x, 0)",
		"policy/lane TestBump",
	},
	{
		"D53 no fee is above the cap", "policy/lane/bump.go",
		"if fee.Gt(&l.Cap) {", "if fee.Gt(&l.Cap) && !f.Mempool {",
		"policy/lane TestBump",
	},
	{
		"D53 without a mempool it is sent again", "policy/lane/bump.go",
		"case !f.Mempool:", "case !f.Mempool && t.Filler:",
		"policy/lane TestBump",
	},
	{
		"D53 gas is capped by kind", "send/call.go",
		"min(max(estimate+estimate/4, c.Least), c.Gas), nil", "max(estimate+estimate/4, c.Least), nil",
		"send TestGasIsEstimatedAndCapped",
	},
	{
		"D53 a gap is filled", "policy/lane/bump.go",
		"case t.Attempts == 0 && t.Void:", "case t.Attempts > 9 && t.Void:",
		"policy/lane TestBump",
	},
	{
		"D53 an unwanted call is replaced by a filler", "policy/lane/bump.go",
		"case t.Void && !t.Filler && f.Mempool:", "case t.Void && !t.Filler && !f.Mempool:",
		"policy/lane TestBump",
	},
	{
		"D53 what another made unnecessary is a success", "policy/burn/burn.go",
		"case b.Received:", "case b.Received && b.InFlight:",
		"policy/burn TestNext",
	},

	// Keys.
	{
		"D54 only listed functions are signed", "sign/list.go",
		"if listed == c {", "if listed.Contract == c.Contract {",
		"sign TestRefuses",
	},
	{
		"D54 a call of another chain is not signed", "sign/list.go",
		"if listed == c {", "if listed.Contract == c.Contract && listed.Selector == c.Selector {",
		"sign TestRefuses",
	},
	{
		"D54 no fee above the cap is signed", "sign/list.go",
		"case t.Cap.Gt(&limit.Cap):", "case t.Cap.Gt(&limit.Cap) && limit.Cap.IsZero():",
		"sign TestRefuses",
	},
	{
		"D54 no value is signed", "sign/sign.go",
		`{"value", got.Value().Sign() == 0},`, "",
		"sign TestAnswerIsCompared",
	},
	{
		"D54 the signer's answer is what was asked for", "sign/sign.go",
		`{"data", bytes.Equal(got.Data(), want.Data())},`, "",
		"sign TestAnswerIsCompared",
	},
	{
		"D54 the signer's answer has the right sender", "sign/sign.go",
		"if err != nil || swap.Address(sender) != from {", "if err != nil || sender == (common.Address{}) {",
		"sign TestAnswerIsCompared",
	},

	// Burns.
	{
		"D55 a stranger's message is left alone", "burns/terms/terms.go",
		"m.From() != messenger || ", "",
		"burns TestOwnBurns",
	},
	{
		"D55 a burn that is not ours is ignored", "policy/burn/burn.go",
		"case !b.Authentic.Value || b.TooSmall:", "case b.TooSmall:",
		"policy/burn TestNext",
	},
	{
		"D55 one question for a transaction", "burns/ask/ask.go",
		"} else if !listed[from] {", "} else {",
		"burns/ask TestOneQuestionForATransaction",
	},
	{
		"D55 ten questions a second", "attest/budget.go",
		"at := c.recent[c.next].Add(time.Second)", "at := c.recent[c.next]",
		"attest TestBudget",
	},
	{
		"D55 questions stop after a 429", "attest/budget.go",
		"c.resume = now.Add(blocked)", "c.resume = now",
		"burns/ask TestBlockedByTheIssuer",
	},
	{
		"D55 questions back off", "policy/burn/burn.go",
		"return min(r.First<<min(b.Asked-1, 16), r.Last)", "return r.First",
		"burns/ask TestBackOff",
	},
	{
		"D55 attestations are matched by bytes", "attest/match.go",
		"e.Message.SameBurn(sent[i].Message) && ", "",
		"attest TestMatch",
	},
	{
		"D55 equal burns get one attestation each", "attest/match.go",
		"found[i], given[e.Message.Nonce()] = e, true", "found[i] = e",
		"attest TestMatch",
	},
	{
		"D55 messages of the first version are left out", "attest/entry.go",
		"ok && w.Version == 2", "ok",
		"attest TestAsk",
	},
	{
		"D55 a message near its expiry is signed again", "policy/burn/burn.go",
		"case b.Expires != 0 && head+r.Margin >= b.Expires:", "case b.Expires != 0 && head >= b.Expires:",
		"policy/burn TestNext",
	},
	{
		"D55 what is about to expire is asked for again", "burns/deliver/deliver.go",
		"err = d.settle(ctx, w, sights) // decides, so it comes first\n\treturn expiring(sights), err", "return expiring(sights), d.settle(ctx, w, sights)",
		"burns TestBurns",
	},
	{
		"D55 the reason of a delay is kept", "burns/ask/ask.go",
		"attest.Delay(entries)", `""`,
		"burns/ask TestDelayIsKept",
	},
	{
		"D55 unpayable burns use the daily budget", "policy/burn/burn.go",
		"if b.Unpayable {", "if b.Unpayable && b.Way == Out {",
		"policy/burn TestNext",
	},
	{
		"D55 what a receiver burns back is delivered", "burns/terms/terms.go",
		"v.Way, v.Small = burn.Back, amount.Lt(&least)", "v.Way, v.Small = burn.Back, !amount.Lt(&least)",
		"burns TestOwnBurns",
	},

	// What cannot be paid.
	{
		"D56 no refund before the cancellation is final", "policy/policy.go",
		"if !c.f.Cancelled.IsFinal() {", "if c.f.Cancelled == nil {",
		"policy TestStates",
	},
	{
		"D56 without cancel only past the deadline and an hour", "policy/unpaid.go",
		"!tag.FinalTime.Before(c.o.Deadline.Add(c.r.RefundAfter))", "!c.now.Before(c.o.Deadline.Add(c.r.RefundAfter))",
		"policy TestCancelAndRefund",
	},
	{
		"D56 without cancel only what is unsettled", "policy/unpaid.go",
		"return past && s.OK && s.Value == order.Unsettled && s.Block >= tag.Final", "return past && s.Block >= tag.Final",
		"policy TestCancelAndRefund",
	},
	{
		"D56 an old record proves nothing", "policy/unpaid.go",
		" && s.Block >= tag.Final", "",
		"policy TestCancelAndRefund",
	},
	{
		"D56 patience ends", "policy/unpaid.go",
		"end := c.patience(order.Waiting, why)\n\tif !end.IsZero() && !c.now.Before(end) {", "end := c.patience(order.Waiting, why)\n\tif end.IsZero() && !c.now.Before(end) && false {",
		"policy TestPatience",
	},
	{
		"D56 a change of reason starts no new wait", "policy/unpaid.go",
		"case c.f.Was.State == s:", "case c.f.Was.State == s && c.f.Was.Reason == why:",
		"policy TestPatience",
	},
	{
		"D56 no payment within two hours of the deadline", "policy/unpaid.go",
		"late := !c.now.Before(c.o.Deadline.Add(-c.r.CancelBefore))", "late := false",
		"policy TestCancelAndRefund",
	},
	{
		"D56 an order that is refused again and again is parked", "policy/unpaid.go",
		"f.Skipped.Times >= c.r.Refusals", "f.Skipped.Times > 1000*c.r.Refusals",
		"policy TestWishesAndParking",
	},
	{
		"D56 one bad order does not hold up its batch", "writer/send.go",
		"if w.single[t.Order] {", "if w.single[t.Order] && len(b.Tasks) == 1 {",
		"writer TestRefusals",
	},
	{
		"D56 unprofitable orders use the daily budget", "policy/payment/payment.go",
		"if w.Cheap(o) {", "if w.Cheap(o) && o.Burn {",
		"policy TestReasonsNotToPay",
	},
	{
		"D56 a source with a backlog of releases is not paid for", "policy/payment/payment.go",
		"\t\t{Budget: world.Budget{Limit: world.Unfreed, Pool: o.Src}, Amount: o.Amount},\n", "",
		"policy TestReasonsNotToPay",
	},
	{
		"D56 the earliest deadline goes first", "policy/lane/pack.go",
		"cmp.Or(a.Due.Compare(b.Due), bytes.Compare(a.Order[:], b.Order[:]))", "cmp.Or(b.Due.Compare(a.Due), bytes.Compare(a.Order[:], b.Order[:]))",
		"policy/lane TestPack",
	},
	{
		"D56 a release that is late is told", "policy/policy.go",
		"c.alert(late || age >= c.r.Ticket, ", "c.alert(late, ",
		"policy TestAlerts",
	},
	{
		"D56 an announced reclaim is answered at once", "policy/policy.go",
		"Basis: step.FinalPayment, Urgent: c.announced(),", "Basis: step.FinalPayment,",
		"policy TestAnnouncedReclaimIsUrgent",
	},
	{
		"D56 claims are pushed twice at the most", "policy/policy.go",
		"case done > 1:", "case done > 99:",
		"policy TestReleaseAndClaim",
	},

	// Generations.
	{
		"D57 contracts of every generation are watched", "roster/roster.go",
		"for i, p := range plans {", "for i, p := range plans[len(plans)-1:] {",
		"roster TestGenerations",
	},
	{
		"D57 the newest pools pay burns to older receivers", "roster/roster.go",
		"if l.From == lane.Receiver {", "if l.From == lane.Receiver && len(before) > 1 {",
		"roster TestGenerations",
	},
	{
		"D57 receivers of every generation take burns", "burns/terms/terms.go",
		"\t\tt.add(p)\n", "\t\tif p == plans[0] {\n\t\t\tt.add(p)\n\t\t}\n",
		"burns/terms TestGenerations",
	},
}
