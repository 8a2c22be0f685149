package io.volume4j.ui.web;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to the audit log that an operator's token was refused: the first time at once, then at most once in ten seconds with the number
 * of those since, so that a stranger cannot fill the log. Thread-safe.
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

    /** How many refusals the line is about; 0 if there is to be no line yet. */
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
