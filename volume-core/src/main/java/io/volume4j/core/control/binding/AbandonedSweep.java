package io.volume4j.core.control.binding;

import io.volume4j.core.engine.EventLoop;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks for storage of claims that a user removed by force while the plugin was making their volume. Loop thread only. */
final class AbandonedSweep {
    /** How many times the sweep looks. */
    private static final int SWEEPS = 10;

    private static final Duration SWEEP_PAUSE = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(AbandonedSweep.class);

    private final EventLoop loop;
    private final BindingState state;
    private final VolumeRequests requests;
    private int sweeps;
    private boolean sweeping;
    private boolean sweepAgain;
    private String told = "";
    private EventLoop.Timer nextSweep = () -> {};

    AbandonedSweep(EventLoop loop, BindingState state, VolumeRequests requests) {
        this.loop = loop;
        this.state = state;
        this.requests = requests;
    }

    /**
     * Looks for the storage at once, because the claim is only in memory and a crash would lose it. A call for the claim may still
     * run. It does no harm: it keeps the volume from being deleted until it returns, and its result then starts another sweep.
     */
    void abandoned(Abandoned lost) {
        if (!state.abandon(lost)) {
            return;
        }
        sweeps = SWEEPS;
        if (sweeping) {
            sweepAgain = true;
        } else {
            sweepAfter(Duration.ZERO);
        }
    }

    private void sweepAfter(Duration pause) {
        nextSweep.cancel();
        nextSweep = loop.schedule(pause, this::sweep);
    }

    /** A backend's list may not show new storage yet. The sweep asks a few times; after that a user must find the rest. */
    private void sweep() {
        List<Abandoned> lost = state.abandoned();
        if (lost.isEmpty() || sweeps == 0) {
            state.settled(lost);
            sweeps = 0;
            return;
        }
        sweeps--;
        sweeping = true;
        var unused = requests.sweep(lost)
                .whenComplete((settled, failure) -> loop.execute(() -> {
                    if (settled != null) {
                        state.settled(settled);
                        told = "";
                    } else {
                        sweeps++; // it failed as a whole and found nothing
                        tell(lost, failure);
                    }
                    sweeping = false;
                    sweepAfter(sweepAgain ? Duration.ZERO : SWEEP_PAUSE);
                    sweepAgain = false;
                }));
    }

    /** The claims are gone, so no event can be sent about them. */
    private void tell(List<Abandoned> lost, Throwable failure) {
        String why = String.valueOf(failure.getMessage());
        if (!why.equals(told)) {
            told = why;
            LOG.atWarn()
                    .addKeyValue("claim", lost.get(0).claim().key())
                    .addKeyValue("volume", lost.get(0).intent().volumeName())
                    .addKeyValue("claims", lost.size())
                    .addKeyValue("nextTry", SWEEP_PAUSE)
                    .addKeyValue("error", failure.toString())
                    .log(
                            "no object can be stored for storage that was being made for claims that are gone; it is tried again");
        }
    }
}
