package io.volume4j.ui.web;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes refused operator tokens to the audit log: the first at once, then at most one line in ten seconds with the number of refusals
 * since. So an attacker cannot fill the log. Thread-safe.
 */
final class RefusedTokens {
    private static final Logger AUDIT = LoggerFactory.getLogger("io.volume4j.ui.audit");
    private static final long APART = TimeUnit.SECONDS.toNanos(10);

    private final LongSupplier ticker;
    private long last;
    private long since;

    RefusedTokens(LongSupplier ticker) {
        this.ticker = ticker;
        this.last = ticker.getAsLong() - APART;
    }

    void add(String peer, String path) {
        long count = counted();
        if (count > 0) {
            AUDIT.atWarn()
                    .addKeyValue("peer", peer)
                    .addKeyValue("path", path)
                    .addKeyValue("refused", count)
                    .log("live view: an operator's token was refused");
        }
    }

    /** The number of refusals for the line; 0 if no line is due. */
    private synchronized long counted() {
        since++;
        long now = ticker.getAsLong();
        if (now - last < APART) {
            return 0;
        }
        long count = since;
        since = 0;
        last = now;
        return count;
    }
}
