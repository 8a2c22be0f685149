package io.volume4j.core.plugins.san;

import com.google.common.collect.MapMaker;
import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.Rollback;
import io.volume4j.core.plugins.san.IscsiLogin.Credentials;
import io.volume4j.core.plugins.san.IscsiSessionStore.Share;
import io.volume4j.core.plugins.san.IscsiSessions.Session;
import io.volume4j.core.plugins.san.IscsiTarget.Unit;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.IscsiSource;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions with targets: logs in for the first volume that needs a session, and logs out after the last one. The
 * library uses existing sessions of other programs, and never ends them. It keeps a session through which another
 * program uses another unit. Thread-safe. Only one login or logout runs at a time with each target, and with each
 * interface that the library creates.
 */
public final class IscsiConnector implements DeviceConnector {
    private static final Logger LOG = LoggerFactory.getLogger(IscsiConnector.class);
    private static final Path DEV = Path.of("/dev");

    private final ScsiDisks disks;
    private final IscsiSessions sessions;
    private final IscsiSessionStore ledger;
    private final IscsiLogin login;
    private final IscsiTool tool;
    /**
     * By target or interface, for as long as a call uses the lock: some arrays have a target for each volume. Calls lock
     * the target first.
     */
    private final Map<String, ReentrantLock> locks = new MapMaker().weakValues().makeMap();

    public IscsiConnector(PluginHost host, MountBackend backend) {
        this.disks = new ScsiDisks(backend);
        this.sessions = new IscsiSessions(backend.files(), disks);
        this.ledger = new IscsiSessionStore(host, backend);
        this.tool = new IscsiTool(backend);
        this.login = new IscsiLogin(host.secrets(), tool, new IscsiRecords(backend.files()));
    }

    public static IscsiSource source(VolumeSpec spec) {
        if (spec.source() instanceof IscsiSource source) {
            return source;
        }
        throw VolumeException.finalFailure("not an iscsi volume: " + MessageText.text(spec.name()));
    }

    @Override
    public Form form(VolumeSpec spec) {
        IscsiSource source = source(spec);
        return Form.of(spec, source.fsType(), source.readOnly());
    }

    @Override
    public Reached reach(VolumeSpec spec, CallContext context) {
        IscsiTarget target = IscsiTarget.of(source(spec));
        boolean known = locked(target.unit().target(), context, () -> {
            boolean before = ledger.find(target.unit()).isPresent();
            undoingUnless(before, target.unit(), context, () -> {
                logIn(spec, target, context);
                return true;
            });
            return before;
        });
        return undoingUnless(known, target.unit(), context, () -> new Reached(device(target, context), !known));
    }

    /**
     * Undoes the call after a failure if the volume had no session before. If that fails too, the failure becomes
     * uncertain.
     */
    private <T> T undoingUnless(boolean known, Unit unit, CallContext context, Supplier<T> work) {
        try {
            return work.get();
        } catch (VolumeException e) {
            // An interrupted login may still succeed later: the teardown logs out.
            if (known || e.kind() == FailureKind.UNCERTAIN) {
                throw e;
            }
            throw Rollback.undone(e, "its session is left", () -> release(unit, context));
        }
    }

    private void logIn(VolumeSpec spec, IscsiTarget target, CallContext context) {
        Set<IscsiPortal> missing = new LinkedHashSet<>(target.portals());
        List<Session> there = sessions(target);
        missing.removeIf(portal -> there.stream().anyMatch(session -> session.isAt(portal)));
        if (missing.isEmpty()) {
            ledger.write(share(target, missing));
        } else {
            Credentials credentials = login.prepare(spec);
            interfaceLocked(target.iface(), context, () -> {
                ledger.write(share(target, missing));
                login.logIn(target, missing, credentials, context);
                return true;
            });
        }
        for (Session session : sessions(target)) {
            if (sessions.disks(session, target.unit().lun()).isEmpty()) {
                disks.scan(session.host(), target.unit().lun());
            }
        }
    }

    /**
     * What the library began: sessions and records of this volume from before, those for this login, and those of
     * other volumes.
     */
    private Share share(IscsiTarget target, Set<IscsiPortal> missing) {
        Optional<Share> before = ledger.find(target.unit());
        Set<IscsiPortal> begun = new LinkedHashSet<>();
        Set<IscsiPortal> recorded = new LinkedHashSet<>();
        before.ifPresent(share -> {
            begun.addAll(share.sessions());
            recorded.addAll(share.records());
        });
        for (Share other : ledger.others(target.unit(), target.iface())) {
            target.portals().stream().filter(other.sessions()::contains).forEach(begun::add);
            target.portals().stream().filter(other.records()::contains).forEach(recorded::add);
        }
        for (IscsiPortal portal : missing) {
            begun.add(portal);
            if (!login.isRecorded(portal, target)) {
                recorded.add(portal);
            }
        }
        return new Share(target.unit(), target.iface(), begun, recorded);
    }

    private Path device(IscsiTarget target, CallContext context) {
        String what = target.unit().toString();
        List<Session> with = sessions(target);
        NavigableSet<String> found = disks.await(what, List.of(DEV), with.size(), () -> ready(target), context);
        return disks.choose(what, found, context);
    }

    private NavigableSet<String> ready(IscsiTarget target) {
        NavigableSet<String> found = disksOf(sessions(target), target.unit());
        found.removeIf(disk -> !disks.isReady(disk));
        return found;
    }

    private List<Session> sessions(IscsiTarget target) {
        return sessions.with(target.unit().target(), target.iface());
    }

    private NavigableSet<String> disksOf(List<Session> with, Unit unit) {
        NavigableSet<String> found = new TreeSet<>();
        with.forEach(session -> found.addAll(sessions.disks(session, unit.lun())));
        return found;
    }

    @Override
    public void release(VolumeId volume, CallContext context) {
        release(Unit.parse(volume.name()), context);
    }

    private void release(Unit unit, CallContext context) {
        locked(unit.target(), context, () -> {
            ledger.find(unit).ifPresent(share -> release(share, context));
            return true;
        });
    }

    private void release(Share share, CallContext context) {
        Unit unit = share.unit();
        List<Session> ours = sessions.with(unit.target(), share.iface()).stream()
                .filter(session -> share.sessions().stream().anyMatch(session::isAt))
                .toList();
        NavigableSet<String> found = disksOf(ours, unit);
        disks.requireUnused(unit.toString(), found);
        disks.remove(found, context);

        Set<IscsiPortal> ending = new LinkedHashSet<>(share.sessions());
        Set<IscsiPortal> forgotten = new LinkedHashSet<>(share.records());
        for (Share other : ledger.others(unit, share.iface())) {
            ending.removeAll(other.sessions());
            forgotten.removeAll(other.records());
        }
        Set<IscsiPortal> used = usedOtherwise(ours, ending, unit);
        ending.removeAll(used);
        forgotten.removeAll(used);
        for (IscsiPortal portal : ending) {
            tool.logout(portal, unit.target(), share.iface(), context);
        }
        // Deletes the credentials in these records as well.
        for (IscsiPortal portal : forgotten) {
            tool.deleteNodeRecord(portal, unit.target(), share.iface(), context);
        }
        // Locked until the volume's entry is removed: of two last volumes, the second sees that it is the last one.
        interfaceLocked(share.iface(), context, () -> {
            if (IscsiTarget.isOurs(share.iface()) && used.isEmpty() && !ledger.isUsedByOthers(unit, share.iface())) {
                tool.deleteInterface(share.iface(), context);
            }
            ledger.remove(unit);
            return true;
        });
    }

    /**
     * The portals of sessions through which the machine or another program uses another unit of the target. These
     * sessions belong to their user from now on, as those that another program began.
     */
    private Set<IscsiPortal> usedOtherwise(List<Session> ours, Set<IscsiPortal> ending, Unit unit) {
        Set<IscsiPortal> used = new LinkedHashSet<>();
        for (IscsiPortal portal : ending) {
            Set<String> others = new LinkedHashSet<>();
            ours.stream()
                    .filter(session -> session.isAt(portal))
                    .forEach(session -> others.addAll(sessions.disks(session)));
            List<String> uses = disks.uses(others);
            if (!uses.isEmpty()) {
                used.add(portal);
                LOG.atWarn()
                        .addKeyValue("target", unit.target())
                        .addKeyValue("portal", portal)
                        .addKeyValue("uses", uses)
                        .addKeyValue("advice", "log out by hand when the other units are not used any more")
                        .log("session is kept: other units of its target are used");
            }
        }
        return used;
    }

    /**
     * Volumes of different targets with one initiator name have the same interface. While one of them creates it and has no
     * session yet, or deletes it, no other one may create it.
     */
    private <T> T interfaceLocked(String iface, CallContext context, Supplier<T> work) {
        return IscsiTarget.isOurs(iface) ? locked("interface " + iface, context, work) : work.get();
    }

    /** @param what the target or the interface */
    private <T> T locked(String what, CallContext context, Supplier<T> work) {
        ReentrantLock lock = locks.computeIfAbsent(what, each -> new ReentrantLock());
        try {
            if (!lock.tryLock(Math.max(1, context.remaining().toMillis()), TimeUnit.MILLISECONDS)) {
                throw VolumeException.transientFailure("another login or logout with " + what + " is still running");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw VolumeException.transientFailure("interrupted while waiting for " + what)
                    .withCause(e);
        }
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
