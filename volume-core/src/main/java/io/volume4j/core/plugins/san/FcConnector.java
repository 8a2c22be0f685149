package io.volume4j.core.plugins.san;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.Rollback;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.FcSource;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/** Disks of a Fibre Channel fabric. Finds them by udev's names, and makes the adapters scan for them. Thread-safe.  */
public final class FcConnector implements DeviceConnector {
    private static final Path BY_PATH = Path.of("/dev/disk/by-path");
    private static final Path BY_ID = Path.of("/dev/disk/by-id");
    private static final Path ADAPTERS = Path.of("/sys/class/fc_host");

    private final MountBackend backend;
    private final ScsiDisks disks;

    public FcConnector(MountBackend backend) {
        this.backend = backend;
        this.disks = new ScsiDisks(backend);
    }

    public static FcSource source(VolumeSpec spec) {
        if (spec.source() instanceof FcSource source) {
            return source;
        }
        throw VolumeException.finalFailure("not an fc volume: " + MessageText.text(spec.name()));
    }

    @Override
    public Form form(VolumeSpec spec) {
        FcSource source = source(spec);
        return Form.of(spec, source.fsType(), source.readOnly());
    }

    @Override
    public Reached reach(VolumeSpec spec, CallContext context) {
        FcUnit unit = FcUnit.of(source(spec));
        boolean there = !found(unit).isEmpty();
        if (!there) {
            scan(unit);
        }
        try {
            // Only the fabric knows the number of paths; multipathd adds later ones.
            NavigableSet<String> found = disks.await(
                    unit.toString(), List.of(BY_PATH, BY_ID), unit.ports().size(), () -> found(unit), context);
            return new Reached(disks.choose(unit.toString(), found, context), !there);
        } catch (VolumeException e) {
            if (there || e.kind() == FailureKind.UNCERTAIN) {
                throw e;
            }
            throw Rollback.undone(e, "its disks are left", () -> release(unit, context));
        }
    }

    private void scan(FcUnit unit) {
        List<String> adapters = backend.files().listRoot(ADAPTERS);
        if (adapters.isEmpty()) {
            throw VolumeException.transientFailure("there is no Fibre Channel adapter on this node to reach " + unit)
                    .withAdvice("see /sys/class/fc_host, and whether the adapter's driver is loaded");
        }
        adapters.forEach(host -> {
            if (unit.lun() >= 0) {
                disks.scan(host, unit.lun());
            } else {
                disks.scan(host);
            }
        });
    }

    /** The disks that are ready. */
    private NavigableSet<String> found(FcUnit unit) {
        if (!unit.identifiers().isEmpty()) {
            return identified(unit);
        }
        NavigableSet<String> found = new TreeSet<>();
        for (String name : backend.files().listRoot(BY_PATH)) {
            if (unit.isPath(name)) {
                disks.nameOf(BY_PATH.resolve(name)).ifPresent(found::add);
            }
        }
        return found;
    }

    /**
     * The disks of a unit with identifiers. udev has one link for the unit, to one of its disks or to their multipath
     * map, and removes it for a moment when that disk is lost. So all disks are found by their identifier in sysfs.
     */
    private NavigableSet<String> identified(FcUnit unit) {
        NavigableSet<String> linked = new TreeSet<>();
        for (String name : backend.files().listRoot(BY_ID)) {
            if (unit.isIdentifier(name)) {
                disks.nameOf(BY_ID.resolve(name)).ifPresent(device -> {
                    List<String> ways = disks.waysOf(device);
                    linked.addAll(ways.isEmpty() ? List.of(device) : ways);
                });
            }
        }
        return disks.allOfUnit(linked, unit::isKernelName);
    }

    @Override
    public void release(VolumeId volume, CallContext context) {
        release(FcUnit.parse(volume.name()), context);
    }

    /**
     * Removes all disks of the unit: a scan also finds it at ports that the volume does not name, and multipathd joins
     * these disks too. Disks at other ports go first, because only those at the named ports lead to them. If the named
     * ports lead to different units, the others may be those of another user. Disks of other transports stay: no scan of
     * an adapter finds them.
     */
    private void release(FcUnit unit, CallContext context) {
        NavigableSet<String> named = found(unit);
        Set<String> all = new LinkedHashSet<>();
        if (disks.identifiers(named).size() == 1) {
            all.addAll(disks.allOfUnit(named, identifier -> false));
            all.removeAll(named);
            all.removeIf(disk -> !disks.isAtFabricPort(disk));
        }
        all.addAll(named);
        disks.requireUnused(unit.toString(), all);
        disks.remove(all, context);
    }
}
