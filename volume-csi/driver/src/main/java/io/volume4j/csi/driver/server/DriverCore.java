package io.volume4j.csi.driver.server;

import io.volume4j.csi.driver.backend.Backend;
import io.volume4j.csi.driver.fault.FaultScript;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.oracle.CallLog;
import io.volume4j.csi.driver.oracle.Oracle;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;

/** State that all endpoints of one run of a driver share. */
public final class DriverCore {
    final DriverOptions options;
    final Backend backend;
    final FaultScript faults;
    final Oracle oracle;
    final CallLog calls;
    final InstantSource clock;
    final Crash crash;
    final Traffic traffic;
    final Patience patience = new Patience();
    final AtomicInteger probesUntilReady;

    public DriverCore(
            DriverOptions options,
            Backend backend,
            FaultScript faults,
            Oracle oracle,
            CallLog calls,
            InstantSource clock,
            Crash crash) {
        this.options = options;
        this.backend = backend;
        this.faults = faults;
        this.oracle = oracle;
        this.calls = calls;
        this.clock = clock;
        this.crash = crash;
        this.traffic = new Traffic(oracle);
        this.probesUntilReady = new AtomicInteger(options.probesUntilReady());
    }

    public Backend backend() {
        return backend;
    }

    /** Ends all waiting calls. */
    public void end() {
        patience.end();
    }

    /** Lets the next probes answer that the driver is not ready. */
    public void notReadyFor(int probes) {
        probesUntilReady.set(probes);
    }

    boolean has(String capability) {
        boolean on = options.switches().has(capability);
        if (capability.startsWith("controller.")) {
            return on && options.switches().has("plugin.CONTROLLER_SERVICE");
        }
        if (capability.startsWith("group.")) {
            return on && options.switches().has("plugin.GROUP_CONTROLLER_SERVICE");
        }
        return on;
    }
}
