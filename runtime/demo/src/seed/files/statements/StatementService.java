package com.example.statements;

import java.time.YearMonth;
import java.util.List;

/** Renders what a customer sees of a month. */
public final class StatementService {
    private final LedgerClient ledger;
    private final Renderer renderer;

    public StatementService(LedgerClient ledger, Renderer renderer) {
        this.ledger = ledger;
        this.renderer = renderer;
    }

    public byte[] statement(AccountId account, YearMonth month) {
        List<Posting> postings = ledger.postings(account, month);
        if (postings.isEmpty()) {
            throw new NothingToState(account, month);
        }
        return renderer.render(account, month, postings);
    }
}
