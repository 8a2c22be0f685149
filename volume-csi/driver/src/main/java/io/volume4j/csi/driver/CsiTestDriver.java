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
 * A CSI driver for tests, on real sockets. It conforms to the specification until it is told otherwise, and notes what its
 * caller should not have done.
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
 * <p>Faults, oracle and call log belong to this object and outlive crashes and restarts; everything else a driver's process
 * loses is lost. Thread-safe.
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

    /** The same with a clock of yours, which gives creation times and measures calls. */
    public static CsiTestDriver start(DriverOptions options, InstantSource clock) {
        return start(options, clock, (Crash) null);
    }

    /**
     * Starts a driver that is all there is in its process: a fault or a command that crashes it ends the process.
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

    /** The faults to come; may be changed at any time. */
    public FaultScript faults() {
        return faults;
    }

    /** What the caller did wrong. */
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

    /** What exists in the storage and on its nodes. @throws IllegalStateException if the driver is dead */
    public Inventory inventory() {
        return living().core.backend().inventory();
    }

    /** How volumes appear at their targets. */
    public String mounts() {
        return living().core.backend().mounts();
    }

    /** What node agents answered to its registration: {@code registered}, or an error. */
    public List<String> registrations() {
        return living().registrar.told();
    }

    public boolean alive() {
        synchronized (lock) {
            return life != null;
        }
    }

    /** How often it has crashed. */
    public int crashes() {
        synchronized (lock) {
            return crashes;
        }
    }

    /** From now on starts again after each crash, as under a supervisor. */
    public CsiTestDriver revivesByItself() {
        synchronized (lock) {
            if (reviver == null && !closed) {
                // There before a machine may run out of threads.
                reviver = new ScheduledThreadPoolExecutor(1, new DefaultThreadFactory("csi-driver-revival", true));
                reviver.prestartCoreThread();
            }
        }
        return this;
    }

    /** Dies as of SIGKILL: connections break, nothing that is under way goes on, and what was kept is found again. */
    public void crash() {
        die(false);
    }

    /** Dies and loses what it knew; the volumes' content and mounts stay. */
    public void crashLosingState() {
        die(true);
    }

    /** Starts again after a crash; does nothing if it lives. */
    public void revive() {
        synchronized (lock) {
            if (life == null && !closed) {
                life = new Life(options);
            }
        }
    }

    /** Ends in order and starts again, with other options if you like: another version, other capabilities. */
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

    /** The machine of a node starts anew: nothing is mounted there any more, attachments stay. */
    public void reboot(String node) {
        living().core.backend().reboot(node);
    }

    /** Says of a volume that it is abnormal, or healthy again. */
    public void setAbnormal(String volume, boolean abnormal) {
        living().core.backend().setAbnormal(volume, abnormal);
    }

    /**
     * Says what is wrong with a volume from now on, in place of what was said for this viewer before.
     *
     * @param viewer the id of a node, {@code controller}, or {@code *} for the controller and each node
     * @param findings none for a volume that is well
     * @throws RuntimeException if the volume does not exist
     */
    public void setHealth(String volume, String viewer, HealthFinding... findings) {
        living().core.backend().setHealth(volume, viewer, HealthFinding.ofVolume(List.of(findings)));
    }

    /** Says what is wrong with the storage from now on, as this node sees it; nothing when it is well. */
    public void setStorageHealth(String node, HealthFinding... findings) {
        living().core.backend().setStorageHealth(node, HealthFinding.ofStorage(List.of(findings)));
    }

    /** So many probes to come answer that the driver is not ready. */
    public void notReadyFor(int probes) {
        living().core.notReadyFor(probes);
    }

    /** Takes the sockets away and brings new ones, as a driver that is replaced; its state stays. */
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

    /** Dies in the way that befits where it runs. */
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
                // the thread that dies may belong to the endpoint that has to end first
                reviver.execute(this::reviveUntilItLives);
            }
        }
    }

    /** A supervisor tries again where a start fails, also for want of a thread. */
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

    /** Null once it is closed. */
    private @Nullable ScheduledThreadPoolExecutor reviver() {
        synchronized (lock) {
            return closed ? null : reviver;
        }
    }

    /** Ends in order: calls may end, sockets go, and so do all mounts unless the options say otherwise. */
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

    /** From one start to the next end. */
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
