package io.volume4j.core.journal;

import java.util.ArrayList;
import java.util.List;

/** What every journal promises, whatever it is written on: each part has its own file. */
abstract class JournalContract
        implements JournalAppends, JournalBounds, JournalEnds, JournalCompactions, JournalSyncFailures, JournalOwners {
    final ManualExecutor executor = new ManualExecutor();
    final Outcomes outcomes = new Outcomes();
    final List<SnapshotReason> asked = new ArrayList<>();

    @Override
    public ManualExecutor executor() {
        return executor;
    }

    @Override
    public Outcomes outcomes() {
        return outcomes;
    }

    @Override
    public List<SnapshotReason> asked() {
        return asked;
    }
}
