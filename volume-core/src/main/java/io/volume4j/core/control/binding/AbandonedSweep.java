package io.volume4j.core.control.binding;

import io.volume4j.core.engine.EventLoop;
import java.time.Duration;
import java.util.List;

/** Looks for what was made for claims that were removed by force while a volume was being made for them. Loop thread only. */
final class AbandonedSweep {
    /** How often it is looked for. */
    private static final int SWEEPS = 10;

    private static final Duration SWEEP_PAUSE = Duration.ofSeconds(30);

    private final EventLoop loop;
    private final BindingState state;
    private final VolumeRequests requests;
    private int sweeps;
    private boolean sweeping;
    private boolean sweepAgain;
    private EventLoop.Timer nextSweep = () -> {};

    AbandonedSweep(EventLoop loop, BindingState state, VolumeRequests requests) {
        this.loop = loop;
        this.state = state;
        this.requests = requests;
    }

    /**
     * What is only remembered is lost with the process, so it is looked for at once. A call for the claim that is still under
     * way does no harm: it keeps the volume from being deleted until it has returned, and what it says then is news.
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

    /** A backend's list may be behind what was made, so it is asked some times before the rest is left to people. */
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
                    } else {
                        sweeps++; // it failed as a whole and found out nothing
                    }
                    sweeping = false;
                    sweepAfter(sweepAgain ? Duration.ZERO : SWEEP_PAUSE);
                    sweepAgain = false;
                }));
    }
}
