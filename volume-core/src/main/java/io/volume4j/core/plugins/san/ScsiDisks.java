package io.volume4j.core.plugins.san;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.MountPoints;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.Programs.Command;
import io.volume4j.spi.mount.Programs.Ending;
import io.volume4j.spi.mount.Programs.Outcome;
import io.volume4j.spi.mount.RootedPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Disks of the SCSI subsystem by their kernel names ({@code sdb}), and the multipath maps ({@code dm-0}) that combine
 * several paths to one unit, as sysfs shows them. Thread-safe.
 */
final class ScsiDisks {
    private static final Path DEV = Path.of("/dev");
    private static final Path BLOCK = Path.of("/sys/block");
    private static final Path MULTIPATH = Path.of("/sys/module/dm_multipath");
    private static final Path HOSTS = Path.of("/sys/class/scsi_host");
    private static final Pattern PARTITION_OF_MAP = Pattern.compile("part[0-9]+-mpath-");
    /** The begin of the name that the kernel's Fibre Channel transport gives a remote port in sysfs. */
    private static final String FABRIC_PORT = "/rport-";

    private static final int LONGEST = 4096;
    /** Storage has two methods of addressing for larger numbers; SAM-4. */
    private static final int LARGEST_SIMPLE = 255;
    /** The kernel adds this to the number of a unit with flat addressing. */
    private static final int FLAT = 0x4000;

    private static final Duration FOR_FIRST = Duration.ofSeconds(30);
    private static final Duration FOR_OTHERS = Duration.ofSeconds(5);
    private static final Duration FOR_MAP = Duration.ofSeconds(10);
    private static final Duration FOR_FLUSH = Duration.ofSeconds(60);

    private final MountBackend backend;

    ScsiDisks(MountBackend backend) {
        this.backend = backend;
    }

    /** Whether an address such as {@code 2:0:0:1} has that unit number. */
    static boolean isUnit(String address, int lun) {
        int colon = address.lastIndexOf(':');
        String number = address.substring(colon + 1);
        return colon > 0 && numbers(lun).stream().anyMatch(each -> number.equals(Integer.toString(each)));
    }

    /** The numbers that the kernel can have for a unit. */
    static List<Integer> numbers(int lun) {
        return lun > LARGEST_SIMPLE && lun < FLAT ? List.of(lun, FLAT + lun) : List.of(lun);
    }

    /** The content of a file in sysfs, {@code ""} if it does not exist. */
    String attribute(Path directory, String name) {
        return backend.files()
                .read(RootedPath.of(directory, name), LONGEST)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8).strip())
                .orElse("");
    }

    /** Whether its device node exists in {@code /dev}. */
    boolean isReady(String disk) {
        return backend.files()
                .status(RootedPath.of(DEV, disk))
                .filter(status -> status.type() == FileStatus.Type.BLOCK_DEVICE)
                .isPresent();
    }

    /** The kernel's name of the device at a path in {@code /dev}; empty if there is no device. */
    Optional<String> nameOf(Path name) {
        return backend.files()
                .resolve(name)
                .map(place -> String.valueOf(place.getFileName()))
                .filter(this::isReady);
    }

    /** Makes the host scan for one unit. Hosts refuse numbers over their limit; one number that it accepts is enough. */
    void scan(String host, int lun) {
        List<VolumeException> refusals = new ArrayList<>();
        List<Integer> numbers = numbers(lun);
        for (int number : numbers) {
            try {
                tell(HOSTS.resolve(host), "scan", "- - " + number);
            } catch (VolumeException e) {
                refusals.add(e);
            }
        }
        if (refusals.size() == numbers.size()) {
            throw refusals.get(0);
        }
    }

    /** Makes the host scan for all units. */
    void scan(String host) {
        tell(HOSTS.resolve(host), "scan", "- - -");
    }

    /**
     * Waits for the disks: a long time for the first, and a short time for the others.
     *
     * @param expected the number of disks to wait for
     * @return at least one
     */
    NavigableSet<String> await(
            String what,
            List<Path> directories,
            int expected,
            Supplier<NavigableSet<String>> look,
            CallContext context) {
        context.progress("waiting for the disks of " + what);
        var first = backend.devices().await(directories, FOR_FIRST, context, () -> atLeast(1, look));
        if (first.isEmpty()) {
            throw VolumeException.transientFailure(
                            "no disk appeared for " + what + " within " + FOR_FIRST.toSeconds() + " seconds")
                    .withAdvice("see whether the target shows that unit to this node, and the kernel's log");
        }
        if (first.get().size() >= expected) {
            return first.get();
        }
        return backend.devices()
                .await(directories, FOR_OTHERS, context, () -> atLeast(expected, look))
                .orElseGet(look);
    }

    private static Optional<NavigableSet<String>> atLeast(int number, Supplier<NavigableSet<String>> look) {
        NavigableSet<String> found = look.get();
        return found.size() >= number ? Optional.of(found) : Optional.empty();
    }

    /** The device of a unit with these disks: their multipath map if there is or will be one. */
    Path choose(String what, NavigableSet<String> disks, CallContext context) {
        requireOneUnit(what, disks);
        Set<String> maps = mapsOf(disks);
        if (maps.isEmpty()
                && disks.size() > 1
                && backend.files().resolve(MULTIPATH).isPresent()) {
            context.progress("waiting for multipathd to join " + disks);
            maps = backend.devices()
                    .await(
                            List.of(DEV),
                            FOR_MAP,
                            context,
                            () -> Optional.of(mapsOf(disks))
                                    .filter(found -> found.stream().anyMatch(this::isReady)))
                    .orElseGet(() -> mapsOf(disks));
        }
        if (maps.size() > 1) {
            throw VolumeException.finalFailure(
                            "the disks " + disks + " of " + what + " belong to several maps: " + maps)
                    .withAdvice("see multipath -ll");
        }
        if (!maps.isEmpty()) {
            return DEV.resolve(maps.iterator().next());
        }
        // Without multipath, one path is used, and always the same one while it is mounted.
        MountPoints mounts = new MountPoints(backend);
        String disk = disks.stream()
                .filter(each -> !mounts.from(DEV.resolve(each)).isEmpty())
                .findFirst()
                .orElse(disks.first());
        return DEV.resolve(disk);
    }

    /**
     * Fails if the disks belong to different units: by mistake, portals may lead to different storage. Disks belong to
     * one unit only if they have the same identifier.
     */
    private void requireOneUnit(String what, NavigableSet<String> disks) {
        Set<String> identifiers = identifiers(disks);
        if (identifiers.size() > 1) {
            throw VolumeException.finalFailure("the disks " + disks + " of " + what + " are different units: "
                            + identifiers.stream().map(MessageText::text).toList())
                    .withAdvice("the portals or ports that the volume names lead to different storages");
        }
    }

    /** These disks, and all others in sysfs with the same identifier or with a requested one. */
    NavigableSet<String> allOfUnit(Set<String> some, Predicate<String> asked) {
        NavigableSet<String> all = new TreeSet<>(some);
        Set<String> identifiers = identifiers(some);
        for (String disk : backend.files().listRoot(BLOCK)) {
            String identifier = identifier(disk);
            if ((identifiers.contains(identifier) || asked.test(identifier)) && isReady(disk)) {
                all.add(disk);
            }
        }
        return all;
    }

    /** Those that the kernel knows, each once. */
    Set<String> identifiers(Set<String> disks) {
        Set<String> identifiers = new LinkedHashSet<>();
        disks.forEach(disk -> identifiers.add(identifier(disk)));
        identifiers.remove("");
        return identifiers;
    }

    /** Whether the disk is at a port of a Fibre Channel fabric. Other transports may lead to the same unit. */
    boolean isAtFabricPort(String disk) {
        return backend.files()
                .resolve(BLOCK.resolve(disk))
                .filter(place -> place.toString().contains(FABRIC_PORT))
                .isPresent();
    }

    /** Empty if the kernel does not know it. */
    private String identifier(String disk) {
        return attribute(unit(disk), "wwid");
    }

    /** The multipath maps that contain any of the disks. */
    NavigableSet<String> mapsOf(Iterable<String> disks) {
        NavigableSet<String> maps = new TreeSet<>();
        for (String disk : disks) {
            for (String holder : backend.files().listRoot(BLOCK.resolve(disk).resolve("holders"))) {
                if (attribute(BLOCK.resolve(holder), "dm/uuid").startsWith("mpath-")) {
                    maps.add(holder);
                }
            }
        }
        return maps;
    }

    /** The disks of a map. */
    List<String> waysOf(String map) {
        return backend.files().listRoot(BLOCK.resolve(map).resolve("slaves"));
    }

    /** Fails if the disks have {@link #uses}. */
    void requireUnused(String what, Set<String> disks) {
        List<String> uses = uses(disks);
        if (!uses.isEmpty()) {
            throw VolumeException.of(FailureKind.IN_USE, what + " is still used: " + uses);
        }
    }

    /**
     * How the disks are used: the mounts of the disks, their maps or partitions of them, and devices other than those maps
     * that use them. The partitions themselves are no use: a pod with a raw device may write a partition table to it, and
     * the machine then makes devices of its entries.
     */
    List<String> uses(Set<String> disks) {
        Set<String> all = new LinkedHashSet<>(disks);
        Set<String> maps = mapsOf(disks);
        all.addAll(maps);
        List<String> uses = new ArrayList<>();
        all.forEach(device -> addUses(device, BLOCK.resolve(device), maps, uses));
        return uses;
    }

    /** @param place of the device in sysfs */
    private void addUses(String device, Path place, Set<String> maps, List<String> uses) {
        Set<MountEntry> there = new LinkedHashSet<>(new MountPoints(backend).from(DEV.resolve(device)));
        String number = attribute(place, "dev");
        if (!number.isEmpty()) {
            there.addAll(backend.table().ofDevice(number));
        }
        there.forEach(mount -> uses.add(device + " mounted at " + mount.mountPoint()));
        for (String holder : backend.files().listRoot(place.resolve("holders"))) {
            if (isPartitionOfMap(holder)) {
                addUses(holder, BLOCK.resolve(holder), maps, uses);
            } else if (!maps.contains(holder)) {
                uses.add(device + " held by " + holder);
            }
        }
        for (String name : backend.files().listRoot(place)) {
            if (name.startsWith(device)
                    && !attribute(place.resolve(name), "partition").isEmpty()) {
                addUses(name, place.resolve(name), maps, uses);
            }
        }
    }

    /** Whether kpartx(8) made it of an entry in the partition table of a map. multipath removes it with its map. */
    private boolean isPartitionOfMap(String holder) {
        return PARTITION_OF_MAP
                .matcher(attribute(BLOCK.resolve(holder), "dm/uuid"))
                .lookingAt();
    }

    /**
     * Removes the disks from the kernel, after their maps without other paths. The kernel has written all data when
     * the last user closed them.
     *
     * @param disks in this order
     */
    void remove(Set<String> disks, CallContext context) {
        flush(disks, context);
        for (String disk : disks) {
            if (backend.files().resolve(unit(disk)).isPresent()) {
                tell(unit(disk), "delete", "1");
            }
        }
    }

    /** Removes the maps that have no other paths. A map still lists a lost path until multipathd notices the loss. */
    void flush(Set<String> disks, CallContext context) {
        for (String map : mapsOf(disks)) {
            if (waysOf(map).stream().allMatch(way -> disks.contains(way) || isLost(way))) {
                flush(map, context);
            }
        }
    }

    private boolean isLost(String disk) {
        return backend.files().resolve(BLOCK.resolve(disk)).isEmpty();
    }

    private void flush(String map, CallContext context) {
        Path multipath = backend.programs()
                .find("multipath")
                .orElseThrow(
                        () -> VolumeException.finalFailure("cannot take away " + map + ": there is no multipath tool")
                                .withAdvice("install the package multipath-tools or device-mapper-multipath"));
        String device = DEV.resolve(map).toString();
        Outcome outcome =
                backend.programs().run(new Command(multipath, List.of("-f", "--", device), FOR_FLUSH), context);
        if (outcome.ending() != Ending.EXITED) {
            throw VolumeException.uncertain("taking away " + map + ": multipath was killed: " + outcome.ending());
        }
        if (outcome.exitCode() != 0) {
            throw VolumeException.transientFailure(
                    "cannot take away " + map + ": multipath ended with " + outcome.exitCode() + ": "
                            + MessageText.text(outcome.output().strip()));
        }
    }

    /** The disk's directory in the SCSI subsystem. It is a link, so opening it cannot reach another file. */
    private static Path unit(String disk) {
        return BLOCK.resolve(disk).resolve("device");
    }

    private void tell(Path directory, String attribute, String text) {
        backend.files().tellKernel(RootedPath.of(directory, attribute), text);
    }
}
