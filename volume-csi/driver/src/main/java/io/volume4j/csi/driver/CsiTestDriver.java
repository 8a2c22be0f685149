package io.volume4j.csi.driver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.volume4j.csi.driver.backend.Backend;
import io.volume4j.csi.driver.backend.Store;
import io.volume4j.csi.driver.fault.FaultScript;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.oracle.CallLog;
import io.volume4j.csi.driver.oracle.Inventory;
import io.volume4j.csi.driver.oracle.Oracle;
import io.volume4j.csi.driver.server.Crash;
import io.volume4j.csi.driver.server.DriverCore;
import io.volume4j.csi.driver.server.Endpoint;
import io.volume4j.csi.driver.server.Services;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A CSI driver for tests, on real sockets. It conforms to the specification unless a test configures quirks or faults, and
 * it records the errors of its caller.
 *
 * <pre>{@code
 * try (CsiTestDriver driver = CsiTestDriver.start(DriverOptions.at(socket).without("stage").build())) {
 *     driver.faults().add("CreateVolume call=1 after crash");
 *     …
 *     assertThat(driver.oracle().violations()).isEmpty();
 *     assertThat(driver.inventory().leaks()).isEmpty();
 * }
 * }</pre>
 *
 * <p>Faults, oracle and call log belong to this object and survive crashes and restarts. Everything else that a driver's
 * process loses is lost. Thread-safe.
 *
 * @since 0.1.0
 */
public final class CsiTestDriver implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final long REVIVAL_PAUSE_MILLIS = 100;

    private final FaultScript faults = new FaultScript();
    private final Oracle oracle = new Oracle();
    private final InstantSource clock;
    private final CallLog calls;
    private final Store store;
    private final @Nullable Crash ownCrash;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private DriverOptions options;

    @GuardedBy("lock")
    private @Nullable Life life;

    @GuardedBy("lock")
    private @Nullable ScheduledThreadPoolExecutor reviver;

    @GuardedBy("lock")
    private boolean closed;

    @GuardedBy("lock")
    private int crashes;

    private CsiTestDriver(DriverOptions options, InstantSource clock, @Nullable Crash ownCrash) {
        this.options = options;
        this.clock = clock;
        this.calls = new CallLog(clock);
        this.store = options.stateDirectory().map(Store::in).orElseGet(Store::temporary);
        this.ownCrash = ownCrash;
    }

    /**
     * Starts a driver in this process.
     *
     * @throws UncheckedIOException if it cannot listen
     */
    public static CsiTestDriver start(DriverOptions options) {
        return start(options, InstantSource.system());
    }

    /** The same with a clock of the caller, for creation times and durations of calls. */
    public static CsiTestDriver start(DriverOptions options, InstantSource clock) {
        return start(options, clock, (Crash) null);
    }

    /**
     * Starts a driver that owns its process: a fault or a command that crashes the driver ends the process.
     *
     * @param dies ends the process as SIGKILL does; does not return
     * @throws UncheckedIOException if it cannot listen
     */
    public static CsiTestDriver start(DriverOptions options, InstantSource clock, Runnable dies) {
        return start(options, clock, (Crash) losingState -> dies.run());
    }

    private static CsiTestDriver start(DriverOptions options, InstantSource clock, @Nullable Crash ownCrash) {
        CsiTestDriver driver = new CsiTestDriver(options, clock, ownCrash);
        try {
            driver.revive();
        } catch (RuntimeException e) {
            driver.store.close();
            throw e;
        }
        return driver;
    }

    /** The fault rules; a test may change them at any time. */
    public FaultScript faults() {
        return faults;
    }

    /** The errors of the caller. */
    public Oracle oracle() {
        return oracle;
    }

    public CallLog calls() {
        return calls;
    }

    public DriverOptions options() {
        synchronized (lock) {
            return options;
        }
    }

    /** The objects in the storage and on its nodes. @throws IllegalStateException if the driver is dead */
    public Inventory inventory() {
        return living().core.backend().inventory();
    }

    /** How volumes appear at their targets. */
    public String mounts() {
        return living().core.backend().mounts();
    }

    /** The answers of node agents to the registration: {@code registered}, or an error. */
    public List<String> registrations() {
        return living().registrar.told();
    }

    public boolean alive() {
        synchronized (lock) {
            return life != null;
        }
    }

    /** The number of crashes. */
    public int crashes() {
        synchronized (lock) {
            return crashes;
        }
    }

    /** From now on the driver starts again after each crash, as under a supervisor. */
    public CsiTestDriver revivesByItself() {
        synchronized (lock) {
            if (reviver == null && !closed) {
                // Started now, because the process may run out of threads later.
                reviver = new ScheduledThreadPoolExecutor(1, new DefaultThreadFactory("csi-driver-revival", true));
                reviver.prestartCoreThread();
            }
        }
        return this;
    }

    /** Dies as after SIGKILL: connections break, running calls stop, and the next start finds the stored state. */
    public void crash() {
        die(false);
    }

    /** Dies and loses its state; the content of volumes and mounts stay. */
    public void crashLosingState() {
        die(true);
    }

    /** Starts again after a crash; does nothing if the driver runs. */
    public void revive() {
        synchronized (lock) {
            if (life == null && !closed) {
                life = new Life(options);
            }
        }
    }

    /** Ends in order and starts again, with the given options: another version or other capabilities, for example. */
    public void restart(DriverOptions changed) {
        synchronized (lock) {
            if (!changed.stateDirectory().equals(options.stateDirectory())) {
                throw new IllegalArgumentException("a restart keeps the state directory");
            }
            if (life != null) {
                life.stop();
            }
            options = changed;
            life = new Life(changed);
        }
    }

    /** Reboots the machine of a node: its mounts are gone, attachments stay. */
    public void reboot(String node) {
        living().core.backend().reboot(node);
    }

    /** Marks a volume as abnormal, or as healthy again. */
    public void setAbnormal(String volume, boolean abnormal) {
        living().core.backend().setAbnormal(volume, abnormal);
    }

    /**
     * Sets the health of a volume for this viewer; replaces the earlier findings of the viewer.
     *
     * @param viewer the id of a node, {@code controller}, or {@code *} for the controller and each node
     * @param findings none for a healthy volume
     * @throws RuntimeException if the volume does not exist
     */
    public void setHealth(String volume, String viewer, HealthFinding... findings) {
        living().core.backend().setHealth(volume, viewer, HealthFinding.ofVolume(List.of(findings)));
    }

    /** Sets the health of the storage as this node reports it; no findings for healthy storage. */
    public void setStorageHealth(String node, HealthFinding... findings) {
        living().core.backend().setStorageHealth(node, HealthFinding.ofStorage(List.of(findings)));
    }

    /** Lets the next probes answer that the driver is not ready. */
    public void notReadyFor(int probes) {
        living().core.notReadyFor(probes);
    }

    /** Removes the sockets and creates new ones, as when a driver is replaced; the state stays. */
    public void replaceSockets() {
        restart(options());
    }

    private Life living() {
        synchronized (lock) {
            if (life == null) {
                throw new IllegalStateException("the driver is dead");
            }
            return life;
        }
    }

    /** Dies: ends the process if the driver owns it, else only the driver. */
    void dies(boolean losingState) {
        if (losingState) {
            store.loseState();
        }
        if (ownCrash != null) {
            ownCrash.crash(losingState);
        } else {
            die(losingState);
        }
    }

    private void die(boolean losingState) {
        synchronized (lock) {
            Life dying = life;
            if (dying == null) {
                return;
            }
            crashes++;
            life = null;
            dying.kill();
            if (losingState) {
                store.loseState();
            }
            if (reviver != null && !closed) {
                // the current thread may belong to the endpoint that must end first
                reviver.execute(this::reviveUntilItLives);
            }
        }
    }

    /** Tries again after a failed start, as a supervisor does; a start can fail because there is no thread. */
    private void reviveUntilItLives() {
        boolean done = false;
        try {
            revive();
            done = true;
        } finally {
            ScheduledThreadPoolExecutor again = reviver();
            if (!done && again != null) {
                var unused = again.schedule(this::reviveUntilItLives, REVIVAL_PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
    }

    /** Null after close. */
    private @Nullable ScheduledThreadPoolExecutor reviver() {
        synchronized (lock) {
            return closed ? null : reviver;
        }
    }

    /** Ends in order: waits for calls, and removes the sockets. Removes all mounts, unless the options keep them. */
    @Override
    public void close() {
        ScheduledThreadPoolExecutor reviving;
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            reviving = reviver;
        }
        if (reviving != null) {
            reviving.shutdownNow();
        }
        synchronized (lock) {
            Life last = life;
            life = null;
            if (last != null) {
                last.stop();
            }
            if (!options.keepMounts()) {
                Backend cleaner = new Backend(options, oracle, store, clock);
                cleaner.unmountAll();
                cleaner.die();
            }
            store.close();
        }
    }

    /** The driver from one start to its end. */
    private final class Life {
        private final DriverCore core;
        private final Registrar registrar;
        private final List<Endpoint> endpoints = new ArrayList<>();

        Life(DriverOptions with) {
            Backend backend = new Backend(with, oracle, store, clock);
            core = new DriverCore(with, backend, faults, oracle, calls, clock, CsiTestDriver.this::dies);
            registrar = new Registrar(with);
            Services services = new Services(core);
            try {
                endpoints.add(services.open(with.nodeId(), with.socket()));
                for (Map.Entry<String, Optional<Path>> other : with.otherNodes().entrySet()) {
                    if (other.getValue().isPresent()) {
                        endpoints.add(
                                services.open(other.getKey(), other.getValue().get()));
                    }
                }
                if (with.registrationDirectory().isPresent()) {
                    endpoints.add(registrar.open(with.registrationDirectory().get()));
                }
            } catch (IOException e) {
                kill();
                throw new UncheckedIOException(e.getMessage(), e);
            }
        }

        void kill() {
            core.backend().die();
            endpoints.forEach(Endpoint::kill);
            core.end();
        }

        void stop() {
            core.end();
            endpoints.forEach(endpoint -> endpoint.close(PATIENCE));
            core.backend().die();
        }
    }
}
